import type { AccessLog } from '../../domain/access-log.js';
import { newId } from '../../domain/people.js';
import type { Warehouse } from '../client.js';
import { INSTALLATION } from '../cluster/placement.js';
import { dateTimeText } from '../columns/date-time.js';
import { defineQuery, texts } from '../query.js';

const DEEDS = defineQuery('who did what', texts('at_ms', 'entry_id', 'name', 'what', 'shop'));

export function createAccessLog(warehouse: Warehouse, now: () => number): AccessLog {
  return {
    note: ({ personId, name }, what, shop = '') =>
      warehouse.insert('access_log', [
        { place: INSTALLATION, at: dateTimeText(now()), entry_id: newId(), person_id: personId, name, what, shop },
      ]),
    async list(most, before) {
      const where =
        before === undefined ? '' : "AND (at, entry_id) < (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {id:String})";
      const sql = `SELECT toUnixTimestamp64Milli(l.at) AS at_ms, entry_id, name, what, shop FROM access_log AS l FINAL
        WHERE place = '' ${where} ORDER BY l.at DESC, entry_id DESC LIMIT {most:UInt32}`;
      const params = { most, ...(before && { at: before.at, id: before.entryId }) };
      const rows = await warehouse.ask(DEEDS(sql, params), { key: INSTALLATION });
      return rows.map(({ at_ms, entry_id, ...deed }) => ({ at: Number(at_ms), entryId: entry_id, ...deed }));
    },
  };
}
