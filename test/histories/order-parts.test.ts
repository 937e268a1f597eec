import { expect } from 'chai';
import { createOrderList } from '../../src/warehouse/queries/order-list.js';
import type { OrderSorting } from '../../src/warehouse/queries/order-rows.js';
import { parseDay } from '../../src/domain/time.js';
import { EXPORT_TYPES } from '../../src/http/exports/format.js';
import { download, readCsv, readParquet } from '../support/exported.js';
import { useFreshShop, useService } from '../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const RANGE = 'from=2026-03-01&to=2026-03-31';
const range = { from: parseDay('2026-03-01') ?? 0, to: parseDay('2026-03-31') ?? 0 };
const CHANGED = 40;
const STEADY = 20;
const VERSIONS = 2;

/** The first days of the month are full, the last are empty; several orders are placed at one instant. */
const orderOf = (id: string, i: number, version = 0): object => ({
  order_id: id,
  placed_at: `2026-03-0${1 + (i % 7) * (i % 2)}T1${i % 4}:00:00Z`,
  updated_at: `2026-04-01T00:00:0${version}Z`,
  currency: 'EUR',
  status: 'paid',
  total: String(10 + (i % 5) + version),
  line_items: [{ line_id: 'a', quantity: '1', unit_price: String(10 + (i % 5) + version) }],
});

describe('a list of orders in parts', function () {
  this.timeout(120_000);
  const service = useService();
  const shop = useFreshShop(service);
  const many = (name: string, count: number, version?: number): object[] =>
    Array.from({ length: count }, (_, i) => orderOf(`${name}-${i}`, i, version));

  beforeEach(async () => {
    await shop.call('POST', '/v1/orders', { orders: [...many('steady', STEADY), ...many('changed', CHANGED)] });
    await service.settled();
  });

  async function listed(sorting: OrderSorting, most: number): Promise<string[]> {
    const list = createOrderList(service.stores.warehouse);
    const found: string[] = [];
    const filter = { shopId: shop.id, range, rules: [] };
    for await (const part of list.orders({ filter, sorting, after: undefined, limit: most })) {
      expect(part.length).to.be.at.most(most);
      found.push(...part.map(({ order_id }) => order_id));
    }
    return found;
  }
  /** The ids in the files of the same list. */
  async function filed({ sort, direction }: OrderSorting): Promise<unknown[]> {
    const path = `/v1/orders?${RANGE}&sort=${sort}&order=${direction}`;
    const [csv, parquet] = await Promise.all([
      download(service, path, shop.key, 'csv'),
      download(service, path, shop.key, 'parquet'),
    ]);
    return [readCsv(csv), await readParquet(service, parquet)].map((rows) => rows.map(({ order_id: id }) => id));
  }
  async function exported(): Promise<any[]> {
    const headers = { authorization: `Bearer ${shop.key}`, accept: EXPORT_TYPES.csv };
    const response = await fetch(`${service.url}/v1/orders?${RANGE}`, { headers });
    return readCsv(Buffer.from(await response.arrayBuffer()));
  }
  async function paged(limit = 7): Promise<any[]> {
    const rows: any[] = [];
    for (let cursor = ''; ;) {
      const { body } = await shop.call('GET', `/v1/orders?${RANGE}&limit=${limit}${cursor}`);
      rows.push(...body.orders);
      if (body.next === undefined) return rows;
      cursor = `&cursor=${encodeURIComponent(body.next)}`;
    }
  }

  it('is the same whatever the size of the parts', async () => {
    for (const sort of ['time', 'profit', 'revenue', 'refunds'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const ids = await listed({ sort, direction }, 1_000);
        expect(new Set(ids).size).to.equal(STEADY + CHANGED);
        for (const most of [7, 60]) {
          expect(await listed({ sort, direction }, most), `${sort} ${direction} ${most}`).to.deep.equal(ids);
        }
        expect(await filed({ sort, direction }), `${sort} ${direction}`).to.deep.equal([ids, ids]);
      }
    }
  });

  it('gives every order once while orders change, and then its export is what its pages are', async () => {
    const seen: any[][] = [];
    const changing = (async () => {
      for (let version = 1; version <= VERSIONS; version++) {
        await shop.call('POST', '/v1/orders', { orders: many('changed', CHANGED, version) });
        await service.settled();
      }
      return true;
    })();
    for (let ended = false; !ended;) {
      seen.push(await exported(), await paged());
      ended = await Promise.race([changing, Promise.resolve(false)]);
    }
    const before = new Map(seen[0]?.map((row) => [row.order_id, row]));
    for (const rows of seen) {
      expect(rows.map(({ order_id: id }) => id)).to.have.members([...before.keys()]);
      for (const row of rows.filter(({ order_id: id }) => id.startsWith('steady'))) {
        expect(row.profit).to.equal(before.get(row.order_id).profit);
      }
    }
    const [file, pages] = [await exported(), await paged()];
    const figures = (row: any): unknown[] => [row.order_id, row.updated_at, row.received_at, row.revenue, row.profit];
    expect(file.map(figures)).to.deep.equal(pages.map(figures));
    const newest = pages.filter(({ updated_at: at }) => at.includes(`:0${VERSIONS}.`));
    expect(newest).to.have.length(CHANGED);
  });

  it('is no Parquet file where an amount has more digits than that holds, which is said, and CSV all the same', async () => {
    const most = '999999999999999';
    const push = (lines: number): Promise<unknown> => {
      const line = { quantity: most, unit_cost: most, unit_price: '0' };
      const line_items = Array.from({ length: lines }, (_, i) => ({ ...line, line_id: String(i) }));
      const updated_at = new Date(Date.UTC(2026, 3, 1) + lines).toISOString();
      return shop.call('POST', '/v1/orders', {
        orders: [{ ...orderOf('wide', 0), total: '0', updated_at, line_items }],
      });
    };
    const ask = (accept: string): Promise<Response> =>
      fetch(`${service.url}/v1/orders?${RANGE}&sort=profit`, {
        headers: { authorization: `Bearer ${shop.key}`, accept },
      });
    // Some 10^32, which has a digit too many but fits into the bytes, and what does not fit.
    for (const [lines, status] of [
      [100, 200],
      [101, 406],
      [400, 406],
    ] as const) {
      await push(lines);
      await service.settled();
      const answer = await ask(EXPORT_TYPES.parquet);
      expect(answer.status, String(lines)).to.equal(status);
      if (status === 200) await readParquet(service, Buffer.from(await answer.arrayBuffer()));
      else
        expect(await answer.text())
          .to.include('"not_acceptable"')
          .and.include('ask for text/csv');
      expect((await ask(EXPORT_TYPES.csv)).status).to.equal(200);
    }
  });
});
