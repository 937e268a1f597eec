import type { IncomingMessage } from 'node:http';

const FORM = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-[^,]*)?$/;

/** The trace that a request belongs to (W3C Trace Context); null where it names none, or not in the right form. */
export function traceIdOf(req: IncomingMessage): string | null {
  const given = req.headers.traceparent;
  const [, version, traceId, rest] = FORM.exec(typeof given === 'string' ? given.trim() : '') ?? [];
  // Later versions may say more; this one may not.
  return traceId === undefined || (version === '00' && rest !== undefined) ? null : traceId;
}
