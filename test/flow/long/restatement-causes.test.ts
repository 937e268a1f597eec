import { Big } from 'big.js';
import { expect } from 'chai';
import { paidOrder } from '../../support/paid-order.js';
import { useService, type Answer, type Shop } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const WEEK = 'from=2026-03-01&to=2026-03-07';
const order = (id: string, day: number, fields: object = {}): object =>
  paidOrder(id, {
    placed_at: `2026-03-0${day}T12:00:00Z`,
    line_items: [{ line_id: '1', quantity: '1', unit_price: '10', sku: id.startsWith('a') ? 'A' : 'B' }],
    ...fields,
  });

describe('GET /v1/restatements?group=cause', () => {
  const service = useService();
  let shop: Shop;
  let pushes: Record<string, string>;
  const states: Record<string, any> = {};

  async function pages(query: string, limit: number, of = shop): Promise<any[]> {
    const causes: any[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await of.call('GET', `/v1/restatements?group=cause&${query}&limit=${limit}${cursor}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.causes.length).to.be.at.most(limit);
      causes.push(...body.causes);
      if (body.next === undefined) return causes;
      cursor = `&cursor=${body.next}`;
    }
  }
  const daily = async (): Promise<any[]> =>
    (await shop.call('GET', `/v1/metrics/daily?${WEEK}&include=expenses`)).body.days;
  const totalOf = (days: any[], figure: string): Big => days.reduce((sum, day) => sum.plus(day[figure]), Big(0));

  before(async () => {
    shop = await service.shop();
    pushes = {};
    const other = await service.key(shop.id);
    const steps: [string, () => Promise<Answer>][] = [
      ['orders', () => shop.call('POST', '/v1/orders', { orders: [order('a1', 1), order('a2', 2), order('b', 2)] })],
      ['more orders', () => shop.call('POST', '/v1/orders', { orders: [order('a3', 3)] })],
      ['cost of A', () => shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'A', unit_cost: '3.25' }] })],
      [
        'cost by another key',
        () =>
          service.call('PUT', '/v1/products/costs', { key: other, body: { costs: [{ sku: 'B', unit_cost: '1' }] } }),
      ],
      [
        'costs again',
        () =>
          shop.call('PUT', '/v1/products/costs', {
            costs: [
              { sku: 'A', unit_cost: '4' },
              { sku: 'C', unit_cost: '2' },
            ],
          }),
      ],
      [
        'expense',
        () =>
          shop.call('POST', '/v1/costs/expenses', {
            external_id: 'e',
            name: 'Rent',
            category: 'other',
            amount: '1',
            currency: 'EUR',
            frequency: 'weekly',
            started_on: '2026-03-05',
          }),
      ],
    ];
    states.before = await daily();
    for (const [name, push] of steps) {
      const { status, body } = await push();
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
      pushes[name] = body.receipt;
      await service.settled();
      states[name] = await daily();
    }
    await shop.call('GET', `/v1/restatements?${WEEK}&after=${pushes.expense}`);
  });

  it('tells each cause once, newest first, with its pushes, names, days and what it changed', async () => {
    const causes = await pages(WEEK, 100);
    expect(
      causes.map(({ kind, count, days, receipts, names }) => ({ kind, count, days, receipts, names })),
    ).to.deep.equal([
      { kind: 'expense', count: 1, days: 3, receipts: [pushes.expense], names: ['Rent'] },
      {
        kind: 'unit_cost',
        count: 3,
        days: 3,
        receipts: [pushes['costs again'], pushes['cost of A']],
        names: ['A', 'C'],
      },
      { kind: 'unit_cost', count: 1, days: 1, receipts: [pushes['cost by another key']], names: ['B'] },
      { kind: 'late_order', count: 4, days: 3, receipts: [pushes['more orders'], pushes.orders], names: [] },
    ]);
    const ats = causes.map(({ at }) => at);
    expect(ats).to.deep.equal([...ats].sort().reverse());
    const [expense, , foreign, late] = causes;
    expect(late.figures.revenue).to.deep.equal({ before: '0.00', after: '40.00' });
    expect(late.figures.orders).to.deep.equal({ before: 0, after: 4 });
    expect(late.figures).not.to.have.property('cogs');
    expect(foreign.figures.cogs).to.deep.equal({ before: '3.25', after: '4.25' });
    expect(Object.keys(expense.figures)).to.include.members(['operating_expenses', 'net_profit_after_expenses']);
  });

  it('adds up to what the figures have changed by', async () => {
    const causes = await pages(WEEK, 100);
    for (const figure of [
      'revenue',
      'orders',
      'cogs',
      'net_profit',
      'operating_expenses',
      'net_profit_after_expenses',
    ]) {
      const changes = causes.flatMap(({ figures }) => figures[figure] ?? []);
      const told = changes.reduce((sum, { before, after }) => sum.plus(after).minus(before), Big(0));
      const real = totalOf(states.expense, figure).minus(totalOf(states.before, figure));
      expect(told.eq(real), `${figure}: ${told.toFixed()}, ${real.toFixed()}`).to.equal(true);
    }
  });

  it('gives of a figure how it changed on each day', async () => {
    const [, costs] = await pages(`${WEEK}&figure=cogs`, 100);
    expect(costs.by_day).to.deep.equal([
      { date: '2026-03-03', before: '0.00', after: '4.00' },
      { date: '2026-03-02', before: '0.00', after: '4.00' },
      { date: '2026-03-01', before: '0.00', after: '4.00' },
    ]);
    expect(costs.figures.cogs).to.deep.equal({ before: '0.00', after: '12.00' });
    for (const cause of await pages(WEEK, 100)) expect(cause).to.not.have.property('by_day');
  });

  it('gives the same in pages of any size, and since a moment only what came after', async () => {
    const all = await pages(WEEK, 250);
    for (const limit of [1, 2, 3]) expect(await pages(WEEK, limit)).to.deep.equal(all);
    const [newest, second] = all;
    expect(await pages(`${WEEK}&since=${encodeURIComponent(second.at)}`, 10)).to.deep.equal([newest]);
    expect(await pages('from=2026-03-03&to=2026-03-03', 10)).to.have.length(2);
  });

  it('refuses other groups, cursors of the list, and files; another shop sees nothing', async () => {
    const refused = async (query: string): Promise<string[]> => {
      const { status, body } = await shop.call('GET', `/v1/restatements?${WEEK}&${query}`);
      expect(status, query).to.equal(400);
      return body.errors.map((error: any) => `${error.code} ${error.field}`);
    };
    expect(await refused('group=day')).to.deep.equal(['invalid_value group']);
    expect(await refused('group=')).to.deep.equal(['invalid_value group']);
    expect(await refused('figure=cogs')).to.deep.equal(['invalid_value figure']);
    expect(await refused('group=cause&figure=aov')).to.deep.equal(['invalid_value figure']);
    const list = (await shop.call('GET', `/v1/restatements?${WEEK}&limit=1`)).body.next;
    const grouped = (await shop.call('GET', `/v1/restatements?${WEEK}&limit=1&group=cause`)).body.next;
    expect(await refused(`group=cause&cursor=${list}`)).to.deep.equal(['invalid_value cursor']);
    expect(await refused(`cursor=${grouped}`)).to.deep.equal(['invalid_value cursor']);
    const [query, place] = JSON.parse(Buffer.from(grouped, 'base64url').toString());
    for (const forged of [{ skip: -1 }, { skip: 0.5 }, { at: 0 }, { number: 0, skip: undefined }, { to: 1e9 }]) {
      const cursor = Buffer.from(JSON.stringify([query, { ...place, ...forged }])).toString('base64url');
      expect(await refused(`group=cause&cursor=${cursor}`), JSON.stringify(forged)).to.deep.equal([
        'invalid_value cursor',
      ]);
    }
    const headers = { authorization: `Bearer ${shop.key}`, accept: 'text/csv' };
    const file = await fetch(`${service.url}/v1/restatements?${WEEK}&group=cause`, { headers });
    expect([file.status, ((await file.json()) as any).errors[0].field]).to.deep.equal([400, 'group']);
    expect(await pages(WEEK, 10, await service.shop())).to.deep.equal([]);
  });

  it('has no name for an expense that was deleted, of which nothing is kept', async () => {
    expect((await shop.call('DELETE', '/v1/costs/expenses/e')).status).to.equal(204);
    const expenses = (await pages(WEEK, 100)).filter(({ kind }) => kind === 'expense');
    expect(expenses).to.not.have.length(0);
    for (const { names } of expenses) expect(names).to.deep.equal([]);
  });
});
