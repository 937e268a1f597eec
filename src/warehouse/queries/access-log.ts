import { NOTHING, oneLine, OPEN_END, type AccessLog } from '../../domain/access-log.js';
import { newId, type Who } from '../../domain/people.js';
import { RequestError } from '../../errors.js';
import type { Warehouse } from '../client.js';
import { INSTALLATION } from '../cluster/placement.js';
import { dateTimeText } from '../columns/date-time.js';
import { defineQuery, texts } from '../query.js';

const DEEDS = defineQuery('who did what', texts('at_ms', 'entry_id', 'person_id', 'name', 'what', 'shop'));

export function createAccessLog(warehouse: Warehouse, now: () => number): AccessLog {
  /** An entry, which is written again with another sentence: rows of one key are merged, and the later one stays. */
  const entryOf = ({ personId, name }: Who, shop: string) => {
    const entry = { place: INSTALLATION, at: dateTimeText(now()), entry_id: newId(), person_id: personId };
    return (what: string): Promise<void> =>
      warehouse.insert('access_log', [{ ...entry, name: oneLine(name), what: oneLine(what), shop }]);
  };
  return {
    note: (who, what, shop = '') => entryOf(who, shop)(what),
    async change({ who, what, shop = '' }, work, done = () => what) {
      const write = entryOf(who, shop);
      await write(what + OPEN_END);
      // What was done is done: an entry whose end can't be stored stays as it is.
      const close = (end: string | null): Promise<void> => write(end ?? NOTHING).catch(() => undefined);
      const result = await work().catch(async (error: unknown) => {
        if (isRefusal(error)) await close(null);
        throw error;
      });
      await close(done(result));
      return result;
    },
    async list(most, before) {
      const where =
        before === undefined ? '' : "AND (at, entry_id) < (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {id:String})";
      const sql = `SELECT toUnixTimestamp64Milli(l.at) AS at_ms, entry_id, person_id, name, what, shop FROM access_log AS l FINAL
        WHERE place = '' AND what != '${NOTHING}' ${where} ORDER BY l.at DESC, entry_id DESC LIMIT {most:UInt32}`;
      const params = { most, ...(before && { at: before.at, id: before.entryId }) };
      const rows = await warehouse.ask(DEEDS(sql, params), { key: INSTALLATION });
      return rows.map(({ at_ms, entry_id, person_id, ...deed }) => ({
        at: Number(at_ms),
        entryId: entry_id,
        personId: person_id,
        ...deed,
      }));
    },
  };
}

/** Whether a change was refused before it began: the request was wrong. After a fault of a store it may have been made. */
const isRefusal = (error: unknown): boolean => error instanceof RequestError && error.status < 500;
