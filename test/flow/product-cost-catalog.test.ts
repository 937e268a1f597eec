import { expect } from 'chai';
import { unguarded } from '../../src/domain/formula.js';
import { download, readCsv, readParquet, type FileRow } from '../support/exported.js';
import { onEachServer } from '../support/on-each-server.js';
import { order } from '../support/two-units.js';
import { useFreshShop, useService } from '../support/service.js';

describe('the catalog of product costs', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const push = async (...costs: unknown[]) => (await shop.call('PUT', '/v1/products/costs', { costs })).body;
  const orders = async (...list: unknown[]) => {
    const { body } = await shop.call('POST', '/v1/orders', { orders: list });
    expect(body).to.include({ accepted: list.length });
  };
  const cogs = async (day: string) => (await shop.call('GET', `/v1/metrics?from=${day}&to=${day}`)).body.cogs;
  const list = async (query = '') => (await shop.call('GET', `/v1/products/costs${query}`)).body;
  const withoutTimes = (costs: object[]) => costs.map((cost) => ({ ...cost, received_at: '' }));

  it('lists the catalog in pages', async () => {
    await push(
      { sku: 'B', unit_cost: '2.50' },
      { sku: 'A', unit_cost: '1', effective_from: '2026-01-01' },
      { sku: 'A', unit_cost: '0.333333' },
      { sku: 'C', unit_cost: '3' },
      { sku: 'C', unit_cost: '3', deleted: true },
    );
    await service.settled();
    const entry = (sku: string, unit_cost: string, effective_from: string | null) => ({
      sku,
      unit_cost,
      effective_from,
      currency: 'EUR',
      received_at: '',
    });
    const all = [entry('A', '0.333333', null), entry('A', '1.00', '2026-01-01'), entry('B', '2.50', null)];
    const whole = await list();
    expect(whole).not.to.have.property('next');
    expect(withoutTimes(whole.costs)).to.deep.equal(all);
    expect(withoutTimes((await list('?sku=A')).costs)).to.deep.equal(all.slice(0, 2));
    const paged: unknown[] = [];
    for (let query = '?limit=1'; query !== '';) {
      const { costs, next } = await list(query);
      expect(costs).to.have.length(1);
      paged.push(...costs);
      query = next === undefined ? '' : `?limit=1&after=${next}`;
    }
    expect(paged).to.deep.equal(whole.costs);
    for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?after=zzz', '?page=1']) {
      expect((await shop.call('GET', `/v1/products/costs${query}`)).status, query).to.equal(400);
    }
  });

  it('says when the push of each version arrived, and comes as a file with the same rows', async () => {
    const began = Date.now();
    await push({ sku: '=A', unit_cost: '0.333333' }, { sku: "'=A", unit_cost: '7' });
    await push({ sku: '"B", c', unit_cost: '99999999999999.999999', effective_from: '1970-01-01' });
    await service.settled();
    const [first, ...others] = (await list()).costs.map((cost: { received_at: string }) =>
      Date.parse(cost.received_at),
    );
    expect(first).to.be.within(began - 1_000, Date.now() + 1_000);
    expect(Math.min(...others)).to.be.at.least(began - 1_000);
    const path = '/v1/products/costs';
    const texts = (rows: FileRow[]) => rows.map((row) => ({ ...row, sku: unguarded(row.sku ?? '') }));
    for (const query of ['', '?sku=%3DA']) {
      const { costs } = await list(query);
      expect(costs).not.to.have.length(0);
      expect(texts(readCsv(await download(service, path + query, shop.key, 'csv')))).to.deep.equal(costs);
    }
    const parquet = await readParquet(service, await download(service, path, shop.key, 'parquet'));
    expect(parquet.map(({ unit_cost }) => unit_cost)).to.have.members([
      '0.333333',
      '7.000000',
      '99999999999999.999999',
    ]);
    const headers = { Accept: 'text/csv' };
    const head = await service.call('HEAD', path, { key: shop.key, headers });
    expect(head.headers.get('content-disposition')).to.equal('attachment; filename="unit-costs.csv"');
    for (const page of ['limit=5', 'after=x']) {
      expect((await service.call('GET', `${path}?${page}`, { key: shop.key, headers })).status, page).to.equal(400);
    }
  });

  it('knows a SKU without the blanks at its ends: in orders, costs, events and filters, the newest push wins', async () => {
    await orders(
      order('1', { line_items: [{ line_id: '1', quantity: '1', unit_price: '10', sku: '\u00a0A' }], total: '10' }),
    );
    await push({ sku: ' A', unit_cost: '3' }, { sku: 'A b', unit_cost: '9' });
    await service.settled();
    const { results } = await push({ sku: 'A ', unit_cost: '4' });
    expect(results[0]).to.include({ sku: 'A ', outcome: 'accepted' });
    await service.settled();
    expect((await list()).costs.map(({ sku, unit_cost }: Record<string, string>) => [sku, unit_cost])).to.deep.equal([
      ['A', '4.00'],
      ['A b', '9.00'],
    ]);
    expect((await list('?sku=%20A%20')).costs).to.have.length(1);
    const day = (await shop.call('GET', '/v1/orders/1')).body.day as string;
    expect(await cogs(day)).to.equal('4.00');
    const found = await shop.call('GET', `/v1/orders?from=${day}&to=${day}&sku=A%C2%A0`);
    expect(found.body.orders).to.have.length(1);
    const explained = await shop.call('GET', `/v1/metrics/explain?figure=cogs&from=${day}&to=${day}&sku=%20A`);
    expect(explained.body.entries[0]).to.include({ sku: 'A' });

    const blank = await push({ sku: ' \u00a0', unit_cost: '1' });
    expect(blank.results[0].errors).to.deep.equal([
      {
        code: 'invalid_value',
        message: 'sku must not be blank; leave the field out where its value is not known; it is " \u00a0".',
        field: 'sku',
      },
    ]);
    const line = { line_id: '1', quantity: '1', unit_price: '10', sku: ' ' };
    const refused = (await shop.call('POST', '/v1/orders', { orders: [order('2', { line_items: [line] })] })).body;
    expect(refused.results[0].errors[0]).to.include({ code: 'invalid_value', field: 'line_items[0].sku' });
    expect((await shop.call('GET', '/v1/products/costs?sku=%20')).status).to.equal(400);
  });

  it('tells 1970-01-01, a day like any other, from the beginning', async () => {
    await orders(order('1'));
    await push({ sku: 'A', unit_cost: '3' });
    await push({ sku: 'A', unit_cost: '5', effective_from: '1970-01-01' });
    await push(
      { sku: 'B', unit_cost: '7', effective_from: '1970-01-02' },
      { sku: 'B', unit_cost: '8', effective_from: '1970-01-01' },
    );
    await service.settled();
    expect(await cogs('2026-03-01')).to.equal('10.00');
    const all = [
      ['A', null, '3.00'],
      ['A', '1970-01-01', '5.00'],
      ['B', '1970-01-01', '8.00'],
      ['B', '1970-01-02', '7.00'],
    ];
    const seen: unknown[] = [];
    for (let query = '?limit=1'; query !== '';) {
      const { costs, next } = await list(query);
      seen.push(...costs.map((cost: Record<string, unknown>) => [cost.sku, cost.effective_from, cost.unit_cost]));
      query = next === undefined ? '' : `?limit=1&after=${next}`;
    }
    expect(seen).to.deep.equal(all);

    await push({ sku: 'A', effective_from: '1970-01-01', deleted: true });
    await service.settled();
    expect(await cogs('2026-03-01')).to.equal('6.00');
    await push({ sku: 'A', unit_cost: '5', effective_from: '1970-01-01' }, { sku: 'A', deleted: true });
    await service.settled();
    expect(await cogs('2026-03-01')).to.equal('10.00');
    expect((await list('?sku=A')).costs).to.have.length(1);
    await onEachServer(service, (server) => server.command('OPTIMIZE TABLE product_costs FINAL'));
    expect((await list('?sku=A')).costs[0].effective_from).to.equal('1970-01-01');
  });

  it('tells a day outside the limits as such', async () => {
    const days = ['1969-12-31', '2149-01-01', '2026-02-30'];
    const { results } = await push(...days.map((effective_from) => ({ sku: 'A', unit_cost: '1', effective_from })));
    expect(
      results.map(({ errors }: { errors: { message: string }[] }) => errors.map(({ message }) => message)),
    ).to.deep.equal([
      ['effective_from must lie between 1970-01-01 and 2148-12-31; it is "1969-12-31".'],
      ['effective_from must lie between 1970-01-01 and 2148-12-31; it is "2149-01-01".'],
      ['effective_from must be a real calendar day written YYYY-MM-DD; it is "2026-02-30".'],
    ]);
    const last = await push({ sku: 'A', unit_cost: '1', effective_from: '2148-12-31' });
    expect(last.accepted).to.equal(1);
  });
});
