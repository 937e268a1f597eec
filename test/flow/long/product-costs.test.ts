import { expect } from 'chai';
import { line, order } from '../../support/two-units.js';
import { useFreshShop, useService } from '../../support/service.js';

describe('product costs', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const push = async (...costs: unknown[]) => (await shop.call('PUT', '/v1/products/costs', { costs })).body;
  const orders = async (...list: unknown[]) => {
    const { body } = await shop.call('POST', '/v1/orders', { orders: list });
    expect(body).to.include({ accepted: list.length });
  };
  const cogs = async (day: string) => (await shop.call('GET', `/v1/metrics?from=${day}&to=${day}`)).body.cogs;

  it('answers item by item, with all faults of an item at once', async () => {
    const answer = await push(
      { sku: 'A', unit_cost: '7.5' },
      { sku: 'A', unit_cost: '8', effective_from: '2026-02-01', currency: 'EUR' },
      { sku: '', unit_cost: 3, effective_from: '2026-02-30', currency: 'USD', price: '1' },
      { sku: 'B' },
      'B',
      { sku: 'B', effective_from: '2026-01-01', deleted: true },
    );
    expect(answer).to.include({ accepted: 3, rejected: 3 });
    const [first, second, third, fourth, fifth, sixth] = answer.results;
    expect(first).to.deep.equal({ sku: 'A', effective_from: null, outcome: 'accepted' });
    expect(second).to.deep.equal({ sku: 'A', effective_from: '2026-02-01', outcome: 'accepted' });
    expect(third).to.include({ sku: '', effective_from: '2026-02-30', outcome: 'rejected' });
    const codes = third.errors.map((error: { code: string; field: string }) => `${error.field} ${error.code}`);
    expect(codes).to.have.members([
      'sku invalid_value',
      'unit_cost money_must_be_string',
      'effective_from invalid_value',
      'currency currency_mismatch',
      'price unknown_field',
    ]);
    expect(fourth.errors).to.deep.equal([
      { code: 'missing_field', message: 'unit_cost is required unless deleted is true.', field: 'unit_cost' },
    ]);
    expect(fifth).to.include({ sku: null, effective_from: null, outcome: 'rejected' });
    expect(sixth).to.include({ outcome: 'accepted' });
  });

  it('refuses an empty or oversized batch, a wrong scope and an unregistered source', async () => {
    const many = Array.from({ length: 1_001 }, (_, i) => ({ sku: `S${i}`, unit_cost: '1' }));
    for (const costs of [[], many]) {
      const { status, body } = await shop.call('PUT', '/v1/products/costs', { costs });
      expect([status, body.errors[0].code]).to.deep.equal([400, 'batch_size']);
    }
    const reader = await service.key(shop.id, 'publishable');
    const body = { costs: [{ sku: 'A', unit_cost: '1' }] };
    expect((await service.call('PUT', '/v1/products/costs', { key: reader, body })).status).to.equal(403);
    expect((await service.call('GET', '/v1/products/costs', { key: reader })).status).to.equal(200);
    const stranger = await service.key('nobody');
    for (const method of ['PUT', 'GET']) {
      const { status } = await service.call(method, '/v1/products/costs', {
        key: stranger,
        ...(method === 'PUT' && { body }),
      });
      expect(status).to.equal(409);
    }
  });

  it('takes the line first, then the version of the local day of the order; restocks credit at the cost of that day', async () => {
    await push({ sku: 'A', unit_cost: '10' }, { sku: 'A', unit_cost: '12', effective_from: '2026-03-02' });
    await orders(
      order('1', {
        refunds: [
          {
            refund_id: 'r',
            refunded_at: '2026-03-05T00:00:00Z',
            total: '50',
            line_items: [{ line_id: '1', quantity: '1', restock: true }],
          },
        ],
      }),
      order('2', { placed_at: '2026-03-02T00:00:00Z' }),
      order('3', { placed_at: '2026-03-02T00:00:00Z', line_items: [line({ unit_cost: '0.5' })] }),
    );
    await service.settled();
    expect(await cogs('2026-03-01')).to.equal('20.00');
    expect(await cogs('2026-03-02')).to.equal('25.00');
    expect(await cogs('2026-03-05')).to.equal('-10.00');
  });

  it('restates exactly the days that a later push touches', async () => {
    await orders(
      order('1'),
      order('2', { placed_at: '2026-03-10T12:00:00Z' }),
      order('3', { placed_at: '2026-03-11T12:00:00Z', line_items: [line({ sku: 'B' })] }),
      order('4', { placed_at: '2026-03-12T12:00:00Z', line_items: [line({ unit_cost: '1' })] }),
      order('5', {
        placed_at: '2026-03-20T12:00:00Z',
        refunds: [
          {
            refund_id: 'r',
            refunded_at: '2026-04-01T00:00:00Z',
            total: '50',
            line_items: [{ line_id: '1', quantity: '1', restock: true }],
          },
        ],
      }),
      // Moved from the 15th: what stood there counts no more.
      order('6', { placed_at: '2026-03-15T12:00:00Z', updated_at: '2026-03-15T12:00:00Z' }),
      order('6', { placed_at: '2026-03-16T12:00:00Z', updated_at: '2026-03-17T12:00:00Z' }),
    );
    await service.settled();

    const queued: string[][] = [];
    const rebuildQueues = service.workerStores[0]?.rebuildQueues ?? service.stores.rebuildQueues;
    const add = rebuildQueues.add.bind(rebuildQueues);
    rebuildQueues.add = async (lane, days) => {
      if (lane === 'costs') queued.push([...(days.get(shop.id) ?? [])]);
      return add(lane, days);
    };
    try {
      await push({ sku: 'A', unit_cost: '3', effective_from: '2026-03-16' });
      await service.settled();
      expect(queued.splice(0)).to.deep.equal([['2026-04-01', '2026-03-20', '2026-03-16']]);

      await push({ sku: 'A', unit_cost: '2' });
      await service.settled();
      expect(queued.splice(0)).to.deep.equal([['2026-03-10', '2026-03-01']]);

      await push({ sku: 'A', effective_from: '2026-03-16', deleted: true });
      await service.settled();
      expect(queued.splice(0)).to.deep.equal([['2026-04-01', '2026-03-20', '2026-03-16']]);
    } finally {
      rebuildQueues.add = add;
    }
    expect(await cogs('2026-03-01')).to.equal('4.00');
    expect(await cogs('2026-03-11')).to.equal('0.00');
    expect(await cogs('2026-03-12')).to.equal('2.00');
    expect(await cogs('2026-03-16')).to.equal('4.00');
    expect(await cogs('2026-04-01')).to.equal('-2.00');
  });

  it('computes the rows of orders with its SKU alone, also those of days of their restocks', async () => {
    const restock = { line_items: [{ line_id: '1', quantity: '1', restock: true }] };
    await orders(
      order('1', { refunds: [{ refund_id: 'r', refunded_at: '2026-03-03T12:00:00Z', total: '50', ...restock }] }),
      order('2', { line_items: [line({ sku: 'B' })] }),
      order('3', { placed_at: '2026-03-03T12:00:00Z', line_items: [line({ sku: 'B' })] }),
    );
    await service.settled();
    const versions = async () => {
      const sql = `SELECT concat(order_id, ' ', toString(day)) AS row, toString(version) AS version, toString(cogs) AS cogs
        FROM order_facts FINAL WHERE shop_id = {shop:String} ORDER BY row`;
      return service.stores.warehouse.query<{ row: string; version: string; cogs: string }>(sql, { shop: shop.id });
    };
    const before = await versions();
    await push({ sku: 'A', unit_cost: '3' });
    await service.settled();
    const computed = (await versions()).filter(({ version }, i) => version !== before[i]?.version);
    expect(computed.map(({ row, cogs: costs }) => `${row} ${costs}`)).to.deep.equal([
      '1 2026-03-01 6',
      '1 2026-03-03 -3',
    ]);
  });

  it('lets the newest push win in whatever order the jobs run', async () => {
    await orders(order('1'));
    const older = await service.stores.takeStamps();
    await push({ sku: 'A', unit_cost: '9' });
    await service.settled();
    // The job of an older push that a worker took up late.
    await service.stores.warehouse.insert('product_costs', [
      {
        shop_id: shop.id,
        sku: 'A',
        effective_from: '1970-01-01',
        unit_cost: '1',
        currency: 'EUR',
        version: older,
        is_deleted: 0,
      },
    ]);
    await service.stores.rebuildQueues.add('costs', new Map([[shop.id, ['2026-03-01']]]));
    await service.settled();
    expect(await cogs('2026-03-01')).to.equal('18.00');
  });

  it('restates the days of a SKU whose only version is removed', async () => {
    await orders(order('1'));
    await push({ sku: 'A', unit_cost: '3' });
    await service.settled();
    expect(await cogs('2026-03-01')).to.equal('6.00');
    await push({ sku: 'A', deleted: true });
    await service.settled();
    expect(await cogs('2026-03-01')).to.equal('0.00');
  });

  it('logs every push, also one of which nothing was accepted', async () => {
    await push({ sku: 'A', unit_cost: '1' }, { sku: 'B' });
    await push({ sku: 'C' }, { sku: 'D', unit_cost: '-1' });
    await service.settled();
    const rows = await service.stores.warehouse.query(
      `SELECT accepted, rejected, superseded, errors.code AS codes FROM ingest_log FINAL
       WHERE shop_id = {shop:String} AND kind = 'product_costs' ORDER BY accepted DESC`,
      { shop: shop.id },
    );
    expect(rows).to.deep.equal([
      { accepted: 1, rejected: 1, superseded: 0, codes: ['missing_field'] },
      { accepted: 0, rejected: 2, superseded: 0, codes: ['missing_field', 'invalid_money'] },
    ]);
  });
});
