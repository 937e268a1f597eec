import { expect } from 'chai';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import type { Operation } from '../../src/http/openapi/operation.js';
import { PASSWORD, trySignIn } from '../console/support.js';
import { startService } from './service.js';

/** What there is to be looked up. */
export interface Known {
  key: string;
  /** A key whose shop has no source. */
  idle: string;
  unknown: string;
  person: string;
  /** Of a share link. */
  token: string;
  hook: string;
}

/** Of each request the status and the body, without what differs from one answer to the next. */
export type Answers = ReadonlyMap<string, string>;

const CHANGING =
  /,"refused":\d+,"last_refused_at":"[^"]*"|"(request_id|at|time|url|last_\w+_at|oldest\w*)":("[^"]*"|[\d.]+|null)/g;
const RANGE = { from: '2026-01-01', to: '2026-01-31' };
/** The health tells of the trouble. */
const READS = OPERATIONS.filter(({ method, scope, id }) => method === 'get' && scope !== null && id !== 'getHealth');

/** A documented read with the parameters of its first example, over the days of the shop of `pushAll`. */
function pathOf({ path, parameters = [], examples: [example] }: Operation): string {
  const query = new URLSearchParams(example?.query);
  for (const [name, value] of Object.entries(RANGE)) {
    if (parameters.some((one) => one.in === 'query' && one.name === name)) query.set(name, value);
  }
  query.delete('cursor');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'order_id' ? 'order-5' : name));
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** What every read and look-up answers of a process that remembers nothing, after the trouble began, while Redis has no copies. */
export async function answersInTrouble(
  base: NodeJS.ProcessEnv,
  known: Known,
  trouble: () => Promise<unknown>,
): Promise<Answers> {
  const service = await startService({ base, workers: false });
  const found = new Map<string, string>();
  const ask = async (what: string, asked: Promise<Response>): Promise<void> => {
    const response = await asked;
    const text = await response.text().catch((error: unknown) => `cut off: ${String(error)}`);
    found.set(what, `${response.status} ${text.replace(CHANGING, '')}`);
  };
  const get = (path: string, headers: Record<string, string>) => fetch(service.url + path, { headers });
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  const hook = (id: string): Promise<Response> => {
    const headers = { 'Content-Type': 'application/json', 'X-Shopify-Shop-Domain': 'a.myshopify.com' };
    return fetch(`${service.url}/v1/hooks/shopify/${id}`, { method: 'POST', body: '{"id":1}', headers });
  };
  const { redis } = service.stores;
  try {
    const copies = await Promise.all(
      ['key:*', 'source:*', 'shopify-hook:*', 'costs:*', 'answer:*'].map((of) => redis.keys(of)),
    );
    if (copies.flat().length > 0) await redis.del(copies.flat());
    await trouble();
    for (const operation of READS) {
      const path = pathOf(operation);
      await ask(path, get(path, bearer(known.key)));
      if (Object.values(operation.answers).some(({ rows }) => rows !== undefined))
        await ask(`${path} as CSV`, get(path, { ...bearer(known.key), Accept: 'text/csv' }));
    }
    await ask('an unknown key', get('/v1/source', bearer(known.unknown)));
    await ask('a key without a source', get('/v1/metrics?from=2026-01-01&to=2026-01-01', bearer(known.idle)));
    for (const view of ['', '/statement', '/days', '/channels'])
      await ask(`share${view}`, get(`/app/api/share${view}`, { 'X-Share-Token': known.token }));
    await ask('an unknown share link', get('/app/api/share', { 'X-Share-Token': 'a'.repeat(43) }));
    await ask('sign-in', trySignIn(service, { name: known.person, password: PASSWORD }));
    await ask('a hook', hook(known.hook));
    await ask('an unknown hook', hook('a'.repeat(22)));
    return found;
  } finally {
    await service.stop();
  }
}

export function expectRightOr503(found: Answers, right: Answers): void {
  for (const [what, answer] of found) if (!answer.startsWith('503 ')) expect(answer, what).to.equal(right.get(what));
}

export function statusesOf(answers: Answers): Record<string, number> {
  const statuses: Record<string, number> = {};
  for (const answer of answers.values()) {
    const status = answer.slice(0, 3);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}
