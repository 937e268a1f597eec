import type { RequestIds } from '../../domain/ingest.js';
import type { KeyRecord } from '../../domain/keys.js';
import { toVerdicts, type TakeEvents } from '../../ingest/events.js';
import type { AdmitLookUp, KeyRegistry } from '../../repositories/keys.js';
import { NEVER_YIELDS } from '../../body/yielding.js';
import { CollectBatch, type CollectResult } from '../../schemas/collect.js';
import { requireKey, requireScope, unauthorized } from '../middleware/authenticate.js';
import type { LimitState } from '../middleware/rate-limit.js';
import { batchForm, readItems } from '../../body/read-items.js';
import type { WindowLimit } from '../middleware/window-limit.js';

/** What is taken of a request. */
export interface CollectRequest {
  body: Buffer;
  request: RequestIds;
  /** The token of the header; null: it is in the body. */
  token: string | null;
  userAgent: string | undefined;
  debug: boolean;
  /** Counts the sender's unknown tokens. */
  admit: AdmitLookUp;
}

export interface Collected {
  /** When it is over, nothing was taken. */
  limit: LimitState;
  /** With `debug` only. */
  verdicts: CollectResult | null;
}

/** Takes a batch of events; resolves once they are in the durable queue. Throws a RequestError for what is refused. */
export type Collect = (request: CollectRequest) => Promise<Collected>;

export interface CollectBatchDeps {
  now: () => number;
  keys: KeyRegistry;
  takeEvents: TakeEvents;
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
  limitToken: WindowLimit;
  limitDebug: WindowLimit;
}

/** All that happens to a batch between its bytes and the queue. */
export function createCollect(deps: CollectBatchDeps): Collect {
  return async (request) => {
    const { queued, ...collected } = await receive(deps, request);
    await queued;
    return collected;
  };
}

/**
 * All that comes before the wait for the queue. It is a function of its own so that the parsed batch is freed here: many
 * requests wait at once, and garbage collection would copy their batches again and again.
 */
async function receive(
  deps: CollectBatchDeps,
  { body, request, token: header, userAgent, debug, admit }: CollectRequest,
): Promise<Collected & { queued: Promise<void> | null }> {
  const early = header === null ? null : await requirePixel(deps, header, admit);
  const { envelope, items } = await readItems(body, FORM, NEVER_YIELDS);
  const { token, sent_at: sentAt } = envelope;
  const { shopId, keyId } = early ?? (await requirePixel(deps, token ?? null, admit));
  const tokenLimit = await deps.limitToken(keyId, deps.now());
  const limit = debug && !tokenLimit.isOver ? await deps.limitDebug(keyId, deps.now()) : tokenLimit;
  if (limit.isOver) return { limit, verdicts: null, queued: null };
  deps.requireCapacity();
  const { ids, faults, queued } = await deps.takeEvents({ shopId, request, items, userAgent, sentAt });
  return { limit, verdicts: debug ? toVerdicts(ids, faults) : null, queued };
}

const FORM = batchForm(CollectBatch);

/** The live pixel token of a batch; throws `unauthorized`. */
export async function requirePixel(
  { keys, now }: Pick<CollectBatchDeps, 'keys' | 'now'>,
  token: string | null,
  admit: AdmitLookUp,
): Promise<KeyRecord> {
  if (token === null) throw unauthorized('Send the pixel token: Authorization: Bearer <token>, or token in the body.');
  const record = await requireKey(keys, token, now(), admit);
  requireScope(record, 'collect');
  return record;
}
