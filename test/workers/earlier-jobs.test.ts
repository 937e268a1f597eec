import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { QueueName } from '../../src/queue/jobs.js';
import { startService, type Service } from '../support/service.js';

/** Jobs of a release by queue, as they stood in Redis; all releases were sent the same items, those of one a shop. */
type EarlierJobs = Record<QueueName, { schema: number; rows: string }[]>;

const RELEASES = ['schemas-1-and-2', 'schema-3', 'schema-4'];
const DAY = '2100-01-01';

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

  const store = async (release: string) => {
    const jobs = JSON.parse(await readFile(`test/support/earlier-jobs/${release}.json`, 'utf8')) as EarlierJobs;
    for (const [queue, list] of Object.entries(jobs) as [QueueName, EarlierJobs[QueueName]][]) {
      for (const [i, job] of list.entries()) {
        const data = { ...job, rows: Buffer.from(job.rows, 'base64') };
        await service.deps.producer.add(queue, `${release}-${queue}-${i}`, data);
      }
    }
    await service.settled();
    return /earlier-\d/.exec(JSON.stringify(jobs))?.[0] ?? '';
  };
  const rowsOf = async (table: keyof typeof TABLES, shopId: string) =>
    service.stores.warehouse.query(
      `SELECT ${TABLES[table]} FROM ${table} FINAL WHERE shop_id = {shop:String} ORDER BY ALL`,
      { shop: shopId },
    );

  it('are written as they were meant, with the same figures as by their own release', async () => {
    const stored: Record<string, unknown>[] = [];
    for (const release of RELEASES) {
      const shopId = await store(release);
      const key = await service.key(shopId);
      await service.call('PUT', '/v1/source', { key, body: { platform: 'p', currency: 'EUR', timezone: 'UTC' } });
      const { body } = await service.call('GET', `/v1/metrics?from=${DAY}&to=${DAY}`, { key });
      expect(body, release).to.deep.include({
        ...{ orders: 2, revenue: '39.00', refunds: '5.00', cogs: '6.50', gateway_fees: '0.60', ad_spend: '2.00' },
      });
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
