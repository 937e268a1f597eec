import { expect } from 'chai';
import { TIME_ZONES } from '../../src/domain/time-zone-names.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { sharedEngines } from '../support/shared-engines.js';

const FIRST_MS = Date.UTC(1999, 11, 31);
const LAST_MS = Date.UTC(2040, 0, 1);
/** No whole number of days, so that it meets all hours. */
const STEP_S = 10 * 86_400 + 7 * 3_600;
const INSTANTS = Array.from({ length: (LAST_MS - FIRST_MS) / 1000 / STEP_S }, (_, i) => FIRST_MS + i * STEP_S * 1000);
const ZONES_PER_QUERY = 50;

describe('time zones of the warehouse', () => {
  const zones = [...TIME_ZONES];
  let warehouse: Warehouse;
  before(async () => {
    const { clickhouse } = await sharedEngines();
    const url = new URL(clickhouse.url);
    url.username = clickhouse.username;
    url.password = clickhouse.password;
    warehouse = createWarehouse({ url: url.href, database: 'system' });
  });
  after(() => warehouse.close());

  it('have all the names of the list', async () => {
    const rows = await warehouse.query<{ time_zone: string }>('SELECT time_zone FROM system.time_zones');
    const known = new Set(rows.map((row) => row.time_zone));
    expect(zones.filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('are read as the runtime reads them', async () => {
    const instants = `arrayMap(i -> toDateTime64(${FIRST_MS / 1000} + i * ${STEP_S}, 0, 'UTC'), range(${INSTANTS.length}))`;
    const differing: string[] = [];
    for (let i = 0; i < zones.length; i += ZONES_PER_QUERY) {
      const some = zones.slice(i, i + ZONES_PER_QUERY);
      const columns = some.map((zone) => `arrayMap(t -> toString(t, '${zone}'), instants) AS \`${zone}\``);
      const [row] = await warehouse.query<Record<string, string[]>>(
        `WITH ${instants} AS instants SELECT ${columns.join(', ')}`,
      );
      for (const zone of some) {
        const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
        const at = INSTANTS.findIndex((ms, j) => format.format(ms) !== row?.[zone]?.[j]);
        if (at !== -1) differing.push(`${zone} ${new Date(INSTANTS[at] ?? 0).toISOString()}: ${row?.[zone]?.[at]}`);
      }
    }
    expect(differing).to.deep.equal([]);
  });
});
