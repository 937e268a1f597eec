import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import moment from 'moment-timezone';
import { clockNear } from '../../../src/console/server/shops.js';
import { keepClock } from '../../../src/console/web/shared/clocks.js';
import { todayIn } from '../../../src/console/web/shared/days.js';
import { formatDay } from '../../../src/domain/time.js';
import { useZoneData, zoneNames, type ZoneData } from '../../../src/domain/zones/database.js';
import { localDayIn } from '../../../src/domain/zones/local-day.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { clockParameters, LOCAL_DAY } from '../../../src/warehouse/queries/local-days.js';
import { createSourceStore } from '../../../src/warehouse/queries/sources.js';
import { renewClocks } from '../../../src/warehouse/queries/zone-clocks.js';
import { ownDatabase } from '../../support/database.js';

const OWN = JSON.parse(readFileSync('node_modules/moment-timezone/data/packed/latest.json', 'utf8')) as ZoneData;
const YEARS = [Date.UTC(2024, 0, 1) / 1_000, Date.UTC(2037, 0, 1) / 1_000] as const;

describe('clocks of sources', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;
  before(async () => ({ warehouse, drop } = await ownDatabase('zone_clocks_test')));
  after(() => drop());
  afterEach(() => useZoneData(OWN));

  const register = (timezone: string) =>
    warehouse.insert('sources', [{ shop_id: timezone, currency: 'EUR', timezone, version: 1 }]);

  /** As a view of `bi` computes them for the user of one shop. */
  async function daysOf(shop: string, moments: number[]): Promise<string[]> {
    const one = LOCAL_DAY.replace(
      '{database}.sources {final}',
      '(SELECT * FROM sources FINAL WHERE shop_id = {shop:String})',
    );
    const rows = await warehouse.query<{ day: string }>(
      `WITH ${one} SELECT toString(local_day(toDateTime(arrayJoin({moments:Array(UInt32)}), 'UTC'))) AS day`,
      { shop, moments },
    );
    return rows.map(({ day }) => day);
  }

  it('cut the same days in the API, in workers, in views and in the app as moment-timezone, around each change of every clock of 2024 to 2036', async () => {
    const zones = new Map([...zoneNames().values()].map((zone) => [JSON.stringify(clockParameters(zone)), zone]));
    expect(zones.size).to.be.above(80);
    await warehouse.insert(
      'sources',
      [...zones.values()].map((timezone) => ({ shop_id: timezone, currency: 'EUR', timezone, version: 1 })),
    );
    expect(await renewClocks(warehouse)).to.have.members([...zones.values()]);
    for (const zone of zones.values()) {
      const changes = (moment.tz.zone(zone)?.untils ?? []).map((ms) => ms / 1_000);
      const around = changes.flatMap((at) => [at - 86_400, at - 3_600, at - 1, at, at + 3_600, at + 86_400]);
      const midnights = Array.from({ length: 13 }, (_, year) => moment.tz([2024 + year, 5, 30], zone).unix());
      const moments = [...around, ...midnights.flatMap((at) => [at - 1, at])].filter(
        (s) => s > YEARS[0] && s < YEARS[1],
      );
      const expected = moments.map((at) => moment.tz(at * 1_000, zone).format('YYYY-MM-DD'));
      expect(await daysOf(zone, moments), `${zone} in views`).to.deep.equal(expected);
      const localDay = localDayIn(zone);
      const ofService = moments.map((at) => formatDay(localDay(at * 1_000_000)));
      expect(ofService, `${zone} in the service`).to.deep.equal(expected);
      const ofApp = moments.map((at) => {
        const clock = clockNear(zone, at * 1_000);
        if (clock !== null) keepClock(zone, clock);
        return todayIn(zone, at * 1_000);
      });
      expect(ofApp, `${zone} in the app`).to.deep.equal(expected);
    }
  }).timeout(60_000);

  it('come with a source that is registered, and change with the release of the time zones alone', async () => {
    await createSourceStore(warehouse).write({ ...SOURCE, shopId: 'maldives', timezone: 'Indian/Maldives' }, 7);
    await register('Mars/Olympus');
    await renewClocks(warehouse);
    expect(await renewClocks(warehouse)).to.deep.equal([]);
    const noon = [Date.UTC(2026, 0, 15, 12) / 1_000, Date.UTC(2026, 0, 15, 18, 30) / 1_000];
    expect(await daysOf('maldives', noon)).to.deep.equal(['2026-01-15', '2026-01-15']);
    const history = () => warehouse.query('SELECT * FROM settings_history ORDER BY ALL');
    const before = await history();

    // Over the date line, as Samoa in 2011.
    const moved = (zone: string) => (zone.startsWith('Indian/Maldives|') ? 'Indian/Maldives|-19|j0|0|' : zone);
    useZoneData({ ...OWN, version: '2027a', zones: OWN.zones.map(moved) });
    expect(await renewClocks(warehouse))
      .to.include('Indian/Maldives')
      .and.to.not.include('Mars/Olympus');
    expect(await daysOf('maldives', noon)).to.deep.equal(['2026-01-14', '2026-01-14']);
    expect(await daysOf('Mars/Olympus', noon)).to.deep.equal(['2026-01-15', '2026-01-15']);
    expect(await history()).to.deep.equal(before);
  });
});

const SOURCE = {
  platform: 'custom',
  currency: 'EUR',
  shopDomain: null,
  ownHosts: [],
  registeredAt: 0,
  lockedAt: null,
  closedAt: null,
  revision: '1',
};
