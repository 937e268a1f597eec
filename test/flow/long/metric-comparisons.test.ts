import { expect } from 'chai';
import { newBatchId } from '../../../src/ingest/batch.js';
import { paidOrder } from '../../support/paid-order.js';
import { startService, useService, type Shop } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const INCLUDED = 'include=expenses,coverage,statement';
const MS_PER_DAY = 86_400_000;
const dayOf = (text: string): number => Date.parse(text) / MS_PER_DAY;
const textOf = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10);

const order = (id: string, day: string, units: number, fields: object = {}) =>
  paidOrder(id, {
    placed_at: `${day}T12:00:00Z`,
    line_items: [{ line_id: '1', quantity: String(units), unit_price: '1', unit_cost: '0.25' }],
    total: String(units),
    ...fields,
  });

describe('metrics compared with earlier days', () => {
  const service = useService();
  let shop: Shop;
  /** Revenue of each day. */
  const sold = new Map<string, number>();

  const read = async (path: string, of = shop): Promise<any> => {
    const { status, body } = await of.call('GET', path);
    expect(status, `${path}: ${JSON.stringify(body)}`).to.equal(200);
    return body;
  };
  const sumOf = (from: string, to: string): string => {
    let sum = 0;
    for (let day = dayOf(from); day <= dayOf(to); day++) sum += sold.get(textOf(day)) ?? 0;
    return `${sum}.00`;
  };

  before(async () => {
    shop = await service.shop({ timezone: 'UTC' });
    const orders: object[] = [];
    for (let day = dayOf('2025-12-20'), i = 1; day <= dayOf('2026-04-10'); day += 1, i++) {
      sold.set(textOf(day), i);
      orders.push(order(`o-${i}`, textOf(day), i));
    }
    await shop.call('POST', '/v1/orders', { orders });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [
        { channel: 'radio', event_date: '2026-02-11', currency: 'EUR', spend: '3' },
        { channel: 'radio', event_date: '2026-02-11', currency: 'USD', spend: '7' },
      ],
    });
    await service.settled();
  });

  for (const [from, to, vs, earlier] of [
    ['2026-03-01', '2026-03-31', 'before', ['2026-02-01', '2026-02-28']],
    ['2026-01-01', '2026-03-31', 'before', ['2025-10-01', '2025-12-31']],
    ['2026-03-03', '2026-03-12', 'before', ['2026-02-21', '2026-03-02']],
    ['2026-12-21', '2026-12-31', 'year', ['2025-12-22', '2026-01-01']],
  ] as const) {
    it(`answers ${from} to ${to} with vs=${vs} as the days alone are answered`, async () => {
      for (const included of ['', `&${INCLUDED}`]) {
        const range = `from=${from}&to=${to}${included}`;
        const others = `from=${earlier[0]}&to=${earlier[1]}${included}`;
        const { compared, ...figures } = await read(`/v1/metrics?${range}&vs=${vs}`);
        expect([compared.from, compared.to]).to.deep.equal(earlier);
        expect(compared.revenue).to.equal(sumOf(earlier[0], earlier[1]));
        expect(figures.revenue).to.equal(sumOf(from, to));
        expect(figures).to.deep.equal(await read(`/v1/metrics?${range}`));
        expect(compared).to.deep.equal(await read(`/v1/metrics?${others}`));
        for (const by of ['day', 'week', 'month']) {
          const { compared: days, ...own } = await read(`/v1/metrics/daily?${range}&by=${by}&vs=${vs}`);
          expect(own).to.deep.equal(await read(`/v1/metrics/daily?${range}&by=${by}`));
          expect(days).to.deep.equal(await read(`/v1/metrics/daily?${others}&by=${by}`));
        }
      }
    });
  }

  it('says what of each of both ranges is in another currency', async () => {
    const { compared, ...figures } = await read('/v1/metrics?from=2026-03-01&to=2026-03-31&vs=before');
    expect(figures).to.not.have.property('left_out');
    expect(compared.left_out).to.deep.equal([{ channel: 'custom:radio', currency: 'USD', ad_spend: '7.00' }]);
  });

  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    it(`takes today from the zone of the shop (${timezone})`, async () => {
      const other = await service.shop({ timezone });
      const todayIn = (at = new Date()): string => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(at);
      for (;;) {
        const today = todayIn();
        const [year = 0, month = 0] = today.split('-').map(Number);
        const { compared } = await read(`/v1/metrics?from=${today.slice(0, 8)}01&to=${today}&vs=before`, other);
        if (todayIn() !== today) continue;
        const isOver = textOf(dayOf(today) + 1).endsWith('-01');
        const last = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
        const first = new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 8);
        const end = isOver ? last : Math.min(last, Number(today.slice(8)));
        expect([compared.from, compared.to]).to.deep.equal([`${first}01`, `${first}${String(end).padStart(2, '0')}`]);
        break;
      }
    });
  }

  it('compares figures of the past with those of the same moment, whose day is today then', async () => {
    const own = await service.shop({ timezone: 'UTC' });
    await own.call('POST', '/v1/orders', { orders: [order('1', '2026-02-10', 5), order('2', '2026-03-10', 7)] });
    await service.settled();
    const moment = new Date().toISOString();
    const at = `as_of=${moment}`;
    const month = 'from=2026-03-01&to=2026-03-31';
    const first = await read(`/v1/metrics?${month}&vs=before&${at}`, own);
    expect([first.revenue, first.compared.revenue]).to.deep.equal(['7.00', '5.00']);
    await own.call('POST', '/v1/orders', { orders: [order('3', '2026-02-11', 100)] });
    await service.settled();
    expect((await read(`/v1/metrics?${month}&vs=before`, own)).compared.revenue).to.equal('105.00');
    expect(await read(`/v1/metrics?${month}&vs=before&${at}`, own)).to.deep.equal(first);
    const daily = await read(`/v1/metrics/daily?${month}&vs=before&by=month&${at}`, own);
    expect(daily.compared.days.map(({ revenue }: any) => revenue)).to.deep.equal(['5.00']);
  });

  it('refuses other comparisons, days before 1970, and tables', async () => {
    const faults = async (query: string, headers = {}): Promise<string[]> => {
      const { status, body } = await service.call('GET', `/v1/metrics/daily?${query}`, { key: shop.key, headers });
      expect(status, query).to.equal(400);
      return body.errors.map((error: any) => `${error.code} ${error.field}`);
    };
    for (const vs of ['', 'week', 'Before', 'before&vs=year']) {
      expect(await faults(`vs=${vs}`), vs).to.deep.equal(['invalid_value vs']);
    }
    expect(await faults('from=1970-01-01&to=1970-01-31&vs=before')).to.deep.equal(['invalid_range vs']);
    expect(await faults('from=1970-12-01&to=1970-12-30&vs=year')).to.deep.equal(['invalid_range vs']);
    expect(await faults('vs=before', { Accept: 'text/csv' })).to.deep.equal(['invalid_value vs']);
  });
});

describe('metrics compared with days that are still to be computed', () => {
  it('wait for both ranges with a receipt', async () => {
    const service = await startService({ workers: false });
    try {
      const shop = await service.shop();
      const { receipts, rebuildQueues, takeStamps } = service.stores;
      const batchId = newBatchId(Date.now());
      await receipts.open({ shopId: shop.id, batchId, jobKey: 'bull:orders:none', count: 1 });
      await rebuildQueues.lanes.fresh.add([{ shopId: shop.id, id: '2026-02-10' }]);
      const days = { fresh: [], history: [], costs: [] };
      await receipts.store(await takeStamps(), new Map([[shop.id, { batchIds: [batchId], days }]]));
      const range = `from=2026-03-01&to=2026-03-31&after=${batchId}`;
      for (const path of ['/v1/metrics', '/v1/metrics/daily']) {
        expect((await shop.call('GET', `${path}?${range}`)).status).to.equal(200);
        const { status, body } = await shop.call('GET', `${path}?${range}&vs=before`);
        expect([status, body.errors[0].code, body.errors[0].days_left]).to.deep.equal([503, 'not_fresh_yet', 1]);
      }
    } finally {
      await service.stop();
    }
  });
});
