import { expect } from 'chai';
import type { RunningShards } from '../../src/embedded/engines/shards.js';
import { BI_PASSWORD, BI_POOL, analystOf, startBiProxy, type BiProxy } from '../support/bi-proxy.js';
import { USERS } from '../support/deployments.js';
import { startShardedEngines, type Engines } from '../support/engines.js';
import { onEachServer } from '../support/on-each-server.js';
import { environmentOf, startService, type Service } from '../support/service.js';

/** Many times the rows that the engine reads at least, of each server. */
const ORDERS = 100_000;
const DAYS = 360;

describe('a condition of a BI query on shards', () => {
  let engines: Engines & { shards: RunningShards };
  let service: Service;
  let proxy: BiProxy;

  before(async () => {
    engines = await startShardedEngines(2, USERS);
    service = await startService({ base: await environmentOf(engines) });
    proxy = await startBiProxy(engines, BI_POOL);
  });
  after(async () => {
    await proxy.stop();
    await service.stop();
    await engines.stop();
  });

  it('is applied by each server, so that a day of orders is read and not all of them', async () => {
    const shop = await service.shop();
    let server = 0;
    await onEachServer(service, (warehouse) =>
      warehouse.command(
        `INSERT INTO orders (shop_id, order_id, version, placed_day, currency, status, total)
         SELECT '${shop.id}', concat('${server++}-', toString(number)), 1, toDate('2026-01-01') + number % ${DAYS}, 'EUR', 'paid', 10
         FROM numbers(${ORDERS})`,
      ),
    );
    const analyst = await analystOf(shop.id, proxy, service.stores.warehouse, service.stores.shards.each);
    const { user } = (await analyst<{ user: string }>('SELECT currentUser() AS user'))[0] ?? { user: '' };
    // The proxy does not tell a user how many rows were read; the servers count them.
    const readRows = async (): Promise<number> => {
      const sql = "SELECT value FROM system.events WHERE event = 'SelectedRows'";
      const found = await Promise.all(service.stores.servers.map((server) => server.query<{ value: string }>(sql)));
      return found.flat().reduce((sum, { value }) => sum + Number(value), 0);
    };
    const ask = async (condition: string) => {
      const before = await readRows();
      const response = await fetch(`${proxy.url}/?wait_end_of_query=1`, {
        method: 'POST',
        headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': BI_PASSWORD },
        body: `SELECT uniqExact(order_id), count() FROM bi.orders WHERE ${condition}`,
      });
      return { answer: (await response.text()).trim(), rows: (await readRows()) - before };
    };
    const all = await ask('1');
    expect(all.answer).to.equal(`${2 * ORDERS}\t${2 * ORDERS}`);
    expect(all.rows).to.be.at.least(2 * ORDERS);
    const day = await ask("placed_day = '2026-03-01'");
    const expected = 2 * Math.ceil(ORDERS / DAYS);
    expect(day.answer).to.equal(`${expected}\t${expected}`);
    expect(day.rows).to.be.below(ORDERS / 4);
  });
});
