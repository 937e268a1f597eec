import type { Push, PushesResponse } from '../../../schemas/pushes.js';
import type { Rejection, RejectionsResponse } from '../../../schemas/rejections.js';

/** A push of which something was taken, or an item that was refused. */
export type LogEntry = { id: string; at: string } & ({ taken: Push } | { refused: Rejection });

/**
 * What was taken and what was refused, newest first. Of two lists of which one goes on, nothing is shown that is older than the end
 * of that one: what lies between is not known yet.
 */
export function logEntries(taken: PushesResponse | null, refused: RejectionsResponse | null): LogEntry[] {
  const pushes = (taken?.pushes ?? []).map((push): LogEntry => ({ id: push.receipt, at: push.at, taken: push }));
  const seen = new Map<string, number>();
  const items = (refused?.rejections ?? []).map((item): LogEntry => {
    // An id may be refused twice in a request.
    const count = (seen.get(item.request_id) ?? 0) + 1;
    seen.set(item.request_id, count);
    return { id: `${item.request_id} ${count}`, at: item.at, refused: item };
  });
  const ends = [taken?.next && pushes.at(-1)?.at, refused?.next && items.at(-1)?.at].filter((at) => at !== undefined);
  const end = ends.toSorted().at(-1) ?? '';
  return [...pushes, ...items]
    .filter(({ at }) => at >= end)
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
}
