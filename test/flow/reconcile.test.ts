import { expect } from 'chai';
import { createYielding } from '../../src/body/yielding.js';
import { createReconcile } from '../../src/http/answers/reconcile.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { createReconcileReader } from '../../src/warehouse/queries/reconcile.js';
import { createRejectionsReader } from '../../src/warehouse/queries/rejections.js';
import { reconciling, storeOrder as orderOf } from '../support/store-order.js';
import { useService } from '../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are plain JSON, as any client reads them */

/** More than a query parameter holds. */
const LONG = Array.from({ length: 600 }, (_, i) => `${i}-é${"'".repeat(240)}`);

describe('reconciling', function () {
  this.timeout(240_000);
  const service = useService();

  const { push, ask } = reconciling(service);

  it('writes no id of the list into a statement, however long the list is', async () => {
    const shop = await service.shop();
    await push(shop, [
      orderOf(LONG[599] ?? '', '2026-03-01T12:00:00Z', '1'),
      orderOf('unlisted', '2026-03-01T12:00:00Z', '2'),
    ]);
    const { warehouse } = service.stores;
    const statements: string[] = [];
    const asked: Warehouse = {
      ...warehouse,
      ask(query) {
        statements.push(query.sql);
        return warehouse.ask(query);
      },
    };
    const reconcile = createReconcile({
      reader: createReconcileReader(asked),
      rejections: createRejectionsReader(asked, Date.now),
    });
    const request = {
      orders: LONG.map((order_id) => ({ order_id, total: '1' })),
      complete_for: { from: '2026-03-01', to: '2026-03-01' },
    };
    const { equal, differences } = await reconcile(shop.id, request, await createYielding().begin(shop.id));
    expect(equal).to.equal(1);
    expect(differences.filter(({ order_id }) => order_id === 'unlisted')).to.have.length(1);
    expect(differences).to.have.length(600);
    expect(statements).to.have.length.above(4);
    expect(statements.join('\n')).not.to.contain('é');
  });

  it('tells both values, exactly, and why: superseded, rejected, deleted', async () => {
    const shop = await service.shop();
    const noon = '2026-03-01T12:00:00Z';
    const later = '2026-03-02T12:00:00Z';
    await push(
      shop,
      ['equal', 'old', 'refused', 'gone', 'other'].map((id) => orderOf(id, noon, '0.1')),
    );
    await push(shop, [
      orderOf('old', noon, '0.2', {
        updated_at: later,
        refunds: ['0.1', '0.000001'].map((total, i) => ({ refund_id: `${i}`, refunded_at: later, total })),
      }),
      orderOf('refused', noon, '0.3', { updated_at: later, tips: '1' }),
      orderOf('gone', noon, '0.1', { updated_at: later, deleted: true }),
      orderOf('never', noon, '0.1', { tips: '1' }),
    ]);
    const listed = (order_id: string, total: string, updated_at = noon): object => ({ order_id, total, updated_at });
    const { equal, differences } = await ask(shop, {
      orders: [
        { ...listed('equal', '0.100000'), refunded: '0.00' },
        { ...listed('old', '0.1'), refunded: '0.1' },
        listed('refused', '0.3', later),
        ...['gone', 'never', 'unknown'].map((id) => listed(id, '0.1')),
        listed('other', '999999999999999.000001'),
      ],
    });
    const at = { noon: '2026-03-01T12:00:00.000000Z', later: '2026-03-02T12:00:00.000000Z' };
    const refusal = differences.find(({ order_id }: any) => order_id === 'refused').errors;
    expect(refusal).to.have.length(1);
    expect(refusal[0]).to.include({ code: 'sum_mismatch', computed: '1.30', supplied: '0.3' });
    const never = differences.find(({ order_id }: any) => order_id === 'never').errors;
    expect(never[0]).to.include({ code: 'sum_mismatch' });
    expect(equal).to.equal(1);
    expect(differences).to.deep.equal([
      { kind: 'total', order_id: 'old', here: '0.20', there: '0.10', reason: 'superseded' },
      { kind: 'refunds', order_id: 'old', here: '0.100001', there: '0.10', reason: 'superseded' },
      { kind: 'version', order_id: 'old', here: at.later, there: at.noon, reason: 'superseded' },
      { kind: 'total', order_id: 'refused', here: '0.10', there: '0.30', reason: 'rejected', errors: refusal },
      { kind: 'version', order_id: 'refused', here: at.noon, there: at.later, reason: 'rejected', errors: refusal },
      { kind: 'missing_here', order_id: 'gone', here: null, there: '0.10', reason: 'deleted' },
      { kind: 'missing_here', order_id: 'never', here: null, there: '0.10', reason: 'rejected', errors: never },
      { kind: 'missing_here', order_id: 'unknown', here: null, there: '0.10' },
      { kind: 'total', order_id: 'other', here: '0.10', there: '999999999999999.000001' },
    ]);
  });

  it('shows orders that moved to another day in their current state', async () => {
    const shop = await service.shop();
    await push(shop, [orderOf('moved', '2026-03-01T12:00:00Z', '1')]);
    await push(shop, [orderOf('moved', '2026-03-05T12:00:00Z', '2', { updated_at: '2026-03-05T12:00:00Z' })]);
    expect(await ask(shop, { orders: [{ order_id: 'moved', total: '2' }] })).to.deep.equal({
      equal: 1,
      differences: [],
    });
    const first = { from: '2026-03-01', to: '2026-03-01' };
    expect((await ask(shop, { orders: [], complete_for: first })).differences).to.deep.equal([]);
  });

  it('names the orders that the list lacks because they do not count, or are on another day elsewhere', async () => {
    const shop = await service.shop({ timezone: 'America/New_York' });
    await push(shop, [
      orderOf('night', '2026-03-02T02:00:00Z', '5'), // the first of March in New York
      orderOf('evening', '2026-03-03T02:00:00Z', '5'), // the second
      orderOf('test', '2026-03-02T15:00:00Z', '1', { is_test: true }),
      orderOf('void', '2026-03-02T15:00:00Z', '2', { status: 'voided' }),
      orderOf('open', '2026-03-02T15:00:00Z', '3', { status: 'pending' }),
      orderOf('lost', '2026-03-02T15:00:00Z', '4'),
    ]);
    const complete_for = { from: '2026-03-02', to: '2026-03-02' };
    const { equal, differences } = await ask(shop, { orders: [{ order_id: 'night' }], complete_for });
    const missing = { kind: 'missing_there', date: '2026-03-02', there: null };
    const reason = 'other_time_zone_day';
    expect(equal).to.equal(0);
    expect(differences).to.deep.equal([
      { kind: 'day', order_id: 'night', here: '2026-03-01', there: '2026-03-02', reason },
      { ...missing, order_id: 'evening', here: '5.00', reason },
      { ...missing, order_id: 'lost', here: '4.00' },
      { ...missing, order_id: 'open', here: '3.00', reason: 'pending' },
      { ...missing, order_id: 'test', here: '1.00', reason: 'test' },
      { ...missing, order_id: 'void', here: '2.00', reason: 'voided' },
    ]);
    const byUtc = await ask(shop, { days: [{ date: '2026-03-02', orders: 2, revenue: '9' }] });
    expect(byUtc).to.deep.equal({ equal: 1, differences: [] });
    const days = [
      { date: '2026-03-01', orders: 0, revenue: '0' },
      { date: '2026-03-02', orders: 3, revenue: '11.00' },
      { date: '2026-03-03', revenue: '5.00', refunds: '0' },
      { date: '2026-03-04', orders: 1 },
    ];
    const figure = (date: string, name: string, here: unknown, there: unknown, why?: string): object => ({
      kind: 'figure',
      date,
      figure: name,
      here,
      there,
      ...(why !== undefined && { reason: why }),
    });
    expect((await ask(shop, { days })).differences).to.deep.equal([
      figure('2026-03-01', 'orders', 1, 0, reason),
      figure('2026-03-01', 'revenue', '5.00', '0.00', reason),
      figure('2026-03-02', 'orders', 2, 3, 'voided'),
      figure('2026-03-02', 'revenue', '9.00', '11.00', 'voided'),
      figure('2026-03-03', 'revenue', '0.00', '5.00', reason),
      figure('2026-03-04', 'orders', 0, 1),
    ]);
  });

  it('explains refunds of another day of UTC', async () => {
    const shop = await service.shop({ timezone: 'America/New_York' });
    const refunds = [{ refund_id: 'r', refunded_at: '2026-03-03T02:00:00Z', total: '1' }];
    await push(shop, [orderOf('1', '2026-03-01T15:00:00Z', '5', { refunds })]);
    const { differences } = await ask(shop, { days: [{ date: '2026-03-03', refunds: '1' }] });
    expect(differences).to.deep.equal([
      {
        kind: 'figure',
        date: '2026-03-03',
        figure: 'refunds',
        here: '0.00',
        there: '1.00',
        reason: 'other_time_zone_day',
      },
    ]);
  });

  it('takes 10,000 orders per call, and ids with any characters', async () => {
    const shop = await service.shop();
    const odd = ["it's", 'a\\b', 'ü☃', "x') OR 1=1 --"];
    await push(
      shop,
      odd.map((id) => orderOf(id, '2026-03-01T12:00:00Z', '1')),
    );
    const many = Array.from({ length: 9_996 }, (_, i) => ({ order_id: `none-${i}`, total: '1' }));
    const orders = [...odd.map((order_id) => ({ order_id, total: '1' })), ...many];
    const found = await ask(shop, { orders, complete_for: { from: '2026-03-01', to: '2026-03-01' } });
    expect([found.equal, found.differences.length]).to.deep.equal([4, 9_996]);
  });

  it('shows nothing of another shop, and takes a key that reads', async () => {
    const shop = await service.shop();
    await push(shop, [orderOf('mine', '2026-03-01T12:00:00Z', '1')]);
    const other = await service.shop();
    const body = { orders: [{ order_id: 'mine' }], complete_for: { from: '2026-03-01', to: '2026-03-01' } };
    expect((await ask(other, body)).differences).to.deep.equal([
      { kind: 'missing_here', order_id: 'mine', here: null, there: null },
    ]);
    const key = await service.key(shop.id, 'publishable');
    expect((await service.call('POST', '/v1/reconcile', { key, body })).body).to.deep.equal({
      equal: 1,
      differences: [],
    });
    const token = await service.key(shop.id, 'pixel');
    expect((await service.call('POST', '/v1/reconcile', { key: token, body })).status).to.equal(403);
  });

  it('refuses what it cannot compare, all at once', async () => {
    const shop = await service.shop();
    const refused = async (body: object): Promise<string[]> => {
      const answer = await shop.call('POST', '/v1/reconcile', body);
      expect(answer.status).to.equal(400);
      return answer.body.errors.map(({ code, field }: any) => `${code} ${field}`);
    };
    const day = { date: '2026-03-01' };
    expect(await refused({})).to.deep.equal(['invalid_request undefined']);
    expect(await refused({ days: [day], orders: [] })).to.deep.equal(['invalid_request undefined']);
    expect(await refused({ days: [] })).to.deep.equal(['batch_size days']);
    expect(await refused({ orders: [] })).to.deep.equal(['batch_size orders']);
    expect(await refused({ orders: Array.from({ length: 10_001 }, () => 0) })).to.include('batch_size orders');
    expect(await refused({ days: [day, day], complete_for: { from: '2026-03-01', to: '2026-03-01' } })).to.deep.equal([
      'invalid_value complete_for',
      'invalid_value days[1].date',
    ]);
    expect(await refused({ orders: [], complete_for: { from: '2026-03-02', to: '2026-03-01' } })).to.deep.equal([
      'invalid_range complete_for',
    ]);
    expect(await refused({ orders: [], complete_for: { from: '2024-03-02', to: '2026-03-01' } })).to.deep.equal([
      'range_too_long complete_for',
    ]);
    expect(
      await refused({ days: [{ date: '2026-02-30', revenue: 1, refunds: '-1', orders: '1', tax: '0' }] }),
    ).to.have.members([
      'invalid_value days[0].date',
      'money_must_be_string days[0].revenue',
      'invalid_money days[0].refunds',
      'invalid_type days[0].orders',
      'unknown_field days[0].tax',
    ]);
  });
});
