import { randomUUID } from 'node:crypto';
import { checkSpendRules, storedChannel, type SpendInput } from '../domain/spend.js';
import { packSegments, type NewJob, type SpendJob } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import type { SourceRegistry } from '../registry/sources.js';
import { spendRowValidator, type SpendBatchResult, type SpendResult } from '../schemas/spend.js';
import type { TakeStamps } from '../state/stamps.js';
import { encodeSpend } from '../warehouse/spend.js';
import { countOutcomes, ingestHeader, outcomeOf, stampItems, type CheckedItem } from './batch.js';

export interface SpendIntakeDeps {
  sources: SourceRegistry;
  takeStamps: TakeStamps;
  producer: Producer;
  now: () => number;
}

/**
 * Takes one push of ad spend: checks every row and puts what is accepted into the durable queue, under stamps that make the
 * newest push of a key win, and a clear hold, in whatever order the jobs run. Resolves only once it is queued. Throws
 * `source_not_registered` and `queue_unavailable`.
 */
export type TakeSpend = (shopId: string, rows: readonly unknown[]) => Promise<SpendBatchResult>;

export function createSpendIntake({ sources, takeStamps, producer, now }: SpendIntakeDeps): TakeSpend {
  return async (shopId, rows) => {
    await sources.require(shopId);
    const checked = rows.map(check);
    const stamped = await stampItems(checked, takeStamps);
    const batchId = randomUUID();
    const encoded = encodeSpend(
      shopId,
      stamped.map(({ item, stamp }) => ({ row: item, channel: storedChannel(item.channel) ?? '', stamp })),
    );
    const job: NewJob<SpendJob> = {
      schema: 1,
      header: ingestHeader({ shopId, kind: 'spend', batchId, nowMs: now() }, checked),
      days: [...new Set(stamped.map(({ item }) => item.event_date))],
      rows: packSegments([encoded.spend, encoded.clears]),
    };
    await producer.add('spend', batchId, job);
    return { ...countOutcomes(checked), results: checked.map((item, i) => toResult(rows[i], item)) };
  };
}

function check(value: unknown): CheckedItem<SpendInput> {
  const errors = [...spendRowValidator.check(value), ...checkSpendRules(value)];
  return errors.length === 0 ? { item: value as SpendInput, errors } : { errors };
}

function toResult(value: unknown, checked: CheckedItem<unknown>): SpendResult {
  const { channel, event_date, currency } = (value ?? {}) as Record<string, unknown>;
  return {
    channel: typeof channel === 'string' ? storedChannel(channel) : null,
    event_date: typeof event_date === 'string' ? event_date : null,
    currency: typeof currency === 'string' ? currency : null,
    ...outcomeOf(checked),
  };
}
