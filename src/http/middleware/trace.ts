import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const FORM = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-[^,]*)?$/;
const OUR_ID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * The trace that a request belongs to (W3C Trace Context). One that names none, or not in the right form, begins a trace of
 * its own: where its id is a random UUID, the same bits.
 */
export function traceIdOf(req: IncomingMessage, requestId: string): string {
  return givenTraceId(req) ?? (OUR_ID.test(requestId) ? requestId : randomUUID()).replaceAll('-', '');
}

/** Null where a request names no trace in the right form. */
export function givenTraceId(req: IncomingMessage): string | null {
  const given = req.headers.traceparent;
  if (typeof given !== 'string') return null;
  const [, version, traceId, rest] = FORM.exec(given.trim()) ?? [];
  // Later versions may say more; this one may not.
  return traceId === undefined || (version === '00' && rest !== undefined) ? null : traceId;
}
