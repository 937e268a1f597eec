import { expect } from 'chai';
import { EARLIER_FIGURES, EARLIER_RELEASES, earlierFigures, queueEarlierJobs } from '../support/earlier-jobs.js';
import { startService, type Service } from '../support/service.js';

/** What a job fills, but the shop and what names it. */
const TABLES = {
  orders: '* EXCEPT (shop_id)',
  order_days: '* EXCEPT (shop_id)',
  ad_spend: '* EXCEPT (shop_id)',
  ad_spend_clears: '* EXCEPT (shop_id)',
  product_costs: '* EXCEPT (shop_id)',
  events: '* EXCEPT (shop_id, evidence)',
  rejections: '* EXCEPT (shop_id, batch_id)',
};

describe('jobs that an earlier release queued', () => {
  let service: Service;
  before(async () => (service = await startService()));
  after(() => service.stop());

  const rowsOf = async (table: keyof typeof TABLES, shopId: string) =>
    service.stores.warehouse.query(
      `SELECT ${TABLES[table]} FROM ${table} FINAL WHERE shop_id = {shop:String} ORDER BY ALL`,
      { shop: shopId },
    );

  it('are written as they were meant, with the same figures as by their own release', async () => {
    const stored: Record<string, unknown>[] = [];
    for (const release of EARLIER_RELEASES) {
      const shopId = await queueEarlierJobs(service, release);
      await service.settled();
      expect(await earlierFigures(service, shopId), release).to.deep.include(EARLIER_FIGURES);
      const rows: Record<string, unknown> = {};
      for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) rows[table] = await rowsOf(table, shopId);
      stored.push(rows);
    }
    const [first, third, fourth] = stored;
    const evidence = await service.stores.warehouse.query(
      `SELECT DISTINCT shop_id, evidence FROM events WHERE shop_id LIKE 'earlier-_' ORDER BY shop_id`,
    );
    // Events have it since schema 4; before, nothing is proved.
    expect(evidence).to.deep.equal([
      { shop_id: 'earlier-2', evidence: 'ambiguous' },
      { shop_id: 'earlier-3', evidence: 'ambiguous' },
      { shop_id: 'earlier-4', evidence: 'proved' },
    ]);
    expect(third).to.deep.equal(fourth);
    // The first one knew no list of rejections.
    expect({ ...first, rejections: null }).to.deep.equal({ ...fourth, rejections: null });
    expect(fourth?.rejections).to.have.length(1);
  });
});
