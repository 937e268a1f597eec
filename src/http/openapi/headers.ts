import type { HeaderName, Operation } from './operation.js';

type Json = Record<string, unknown>;
const integer = { type: 'string', pattern: '^\\d+$' };

/** Response headers of the document, by name. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    description: "Names the request in logs; the caller's own where it has the right form.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  'RateLimit-Limit': { description: 'Requests of the window.', schema: integer },
  'RateLimit-Remaining': { description: 'Requests left in the window.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until the window is over.', schema: integer },
  'Retry-After': { description: 'Seconds to wait before the next try.', required: true, schema: integer },
  'WWW-Authenticate': {
    description: 'How to authenticate: with a key as a bearer token.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer$' },
  },
  Receipt: {
    description: 'Names the push: `after=<receipt>` on a read of figures gives none without it and all earlier pushes.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,200}$' },
  },
  ETag: { description: 'Names this very answer.', required: true, schema: { type: 'string', pattern: '^"[^"]+"$' } },
  'Cache-Control': {
    description: 'Who may keep the answer, and how long.',
    required: true,
    schema: { type: 'string' },
  },
};

/** The headers of one answer of an operation. */
export function headersOf({ scope }: Operation, status: number, own: readonly HeaderName[]): Json {
  // A request is counted once its key is known.
  const counted = scope !== null && status !== 401 && status !== 403;
  const names = [
    'X-Request-Id',
    ...own,
    ...(counted ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
