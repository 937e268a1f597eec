import { PUSH_KINDS, type ErrorCount, type IngestHeader, type LoggedKind } from '../../domain/ingest.js';
import type { Receipt } from '../../domain/receipts.js';
import type { Warehouse } from '../client.js';
import { dateTimeText } from '../columns/date-time.js';
import { countLateHours, type PushCountDeps } from './push-hours.js';
import { defineQuery, textOf } from '../query.js';

/**
 * Appends pushes to the ingest log; a repeated `batch_id` counts once. Throws a RangeError for counts of errors that are
 * damaged: the table would take such a row, and the hour could no longer be counted.
 */
export async function writeIngestLog(deps: PushCountDeps, headers: readonly IngestHeader[]): Promise<void> {
  for (const { errors, batch_id } of headers) {
    if (!errors.every(isErrorCount)) throw new RangeError(`the errors of the push ${batch_id} are damaged`);
  }
  await deps.warehouse.insert(
    'ingest_log',
    headers.map(({ errors, trace_id: _, ...header }) => ({
      ...header,
      received_at: dateTimeText(header.received_at),
      'errors.code': errors.map((error) => error.code),
      'errors.count': errors.map((error) => error.count),
      'errors.sample': errors.map((error) => error.sample),
    })),
  );
  await countLateHours(deps, headers);
}

function isErrorCount({ code, count, sample }: Record<keyof ErrorCount, unknown>): boolean {
  return typeof code === 'string' && typeof sample === 'string' && Number.isSafeInteger(count) && Number(count) > 0;
}

/** The kind of a push of the shop of which something was accepted; null when the log has none. */
export type FindLogged = (shopId: string, receipt: Receipt) => Promise<LoggedKind | null>;

/** A push is logged as received some moments after its receipt was made. */
const BEFORE_MS = 60_000;
const AFTER_MS = 300_000;
/** Of a request that has more to wait for than this. */
const LOOK_UP_MS = 2_000;
const LAST_MS = Date.UTC(2200, 0);

/** When the push of a receipt may have been logged. */
export const logged = ({ madeAt }: Receipt) => ({ from: madeAt - BEFORE_MS, to: madeAt + AFTER_MS });

const LOGGED_KIND = defineQuery('kind of a logged push', { kind: textOf<LoggedKind>() });

export function createLoggedFinder(warehouse: Warehouse): FindLogged {
  return async (shopId, { batchId, madeAt }) => {
    if (madeAt > LAST_MS) return null;
    const [row] = await warehouse.ask(
      LOGGED_KIND(
        `SELECT kind FROM ingest_log
       WHERE shop_id = {shop:String} AND kind IN {kinds:Array(String)} AND batch_id = {batch:String} AND accepted > 0
         AND received_at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})
       LIMIT 1`,
        { shop: shopId, kinds: [...PUSH_KINDS], batch: batchId, ...logged({ batchId, madeAt }) },
      ),
      { waitMs: LOOK_UP_MS },
    );
    return row?.kind ?? null;
  };
}
