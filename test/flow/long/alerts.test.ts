import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { AlertsAnswer, ShownAlert } from '../../../src/schemas/alerts.js';
import { createAlertStore } from '../../../src/warehouse/queries/alerts.js';
import { openAlertLoops } from '../../../workers/open-alerts.js';
import { json, OPERATOR_ENV, signInAsOperator, type Operator } from '../../console/support.js';
import { placedOrder, pushSettled } from '../../support/placed-order.js';
import { useFreshShop, useService } from '../../support/service.js';
import { startReceiver, type Receiver } from '../../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

describe('alerts of a shop', () => {
  const service = useService({ env: { ...OPERATOR_ENV, WEBHOOKS_TO_PRIVATE: '1' } });
  const shop = useFreshShop(service);
  let operator: Operator;
  let receiver: Receiver;
  let secret: string;

  before(async () => {
    operator = await signInAsOperator(service);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    const body = { url: `${receiver.url}/hook` };
    ({ secret } = await json(await operator.send('PUT', `${path()}/webhook`, body)));
  });
  afterEach(async () => {
    await operator.send('DELETE', `${path()}/webhook`);
    await receiver.stop();
  });

  const path = (id = shop.id): string => `/app/api/shops/${id}/alerts`;
  const turnOn = async (kind: string, threshold: string, is_on = true) =>
    json(await operator.send('PUT', path(), { rules: [{ kind, is_on, threshold }] }));
  const shown = async (): Promise<AlertsAnswer> => json(await operator.get(path()));
  const alerts = async (): Promise<ShownAlert[]> => (await shown()).alerts;
  /** A turn of the worker so long from now. */
  const turn = async (laterMs = 0): Promise<void> => {
    const failures: unknown[] = [];
    const clock = Date.now() + laterMs;
    const stores = { ...service.stores, now: () => clock };
    const { look, send } = openAlertLoops(service.config, stores, 0, (error) =>
      failures.push(String((error as Error).cause ?? error)),
    );
    await service.stores.redis.del('alerts:looked');
    await look();
    await send();
    expect(failures).to.deep.equal([]);
  };
  const own = () => receiver.received.filter(({ body }) => body.data.shop_id === shop.id);
  const push = (...orders: object[]): Promise<void> => pushSettled(service, shop, orders);
  /** Signed, by the library that receivers use. */
  const verified = (): unknown[] => own().map(({ payload, headers }) => new Webhook(secret).verify(payload, headers));

  it('are off until somebody turns them on', async () => {
    await push(placedOrder('a', Date.now(), '10'));
    await turn(48 * HOUR_MS);
    const { rules, alerts: raised } = await shown();
    expect(rules.map(({ kind, is_on, threshold }) => `${kind} ${is_on} ${threshold}`)).to.deep.equal([
      'data_stopped false 24',
      'refusals_rose false 5',
      'costs_fell false 95',
      'fees_fell false 95',
      'past_day_changed false 100',
      'day_lost false 0',
      'morning_summary false 7',
    ]);
    expect(raised).to.deep.equal([]);
    expect(own()).to.deep.equal([]);
  });

  it('say once that no order arrives any more, and end with the next order', async () => {
    await push(placedOrder('a', Date.now(), '10'));
    await turnOn('data_stopped', '24');
    await turn(23 * HOUR_MS);
    expect(await alerts()).to.deep.equal([]);
    await turn(25 * HOUR_MS);
    await turn(31 * HOUR_MS);
    const [alert, ...others] = await alerts();
    expect(others).to.deep.equal([]);
    expect(alert).to.include({ kind: 'data_stopped', measured: '25', ended_at: null, delivery: 'sent', attempts: 1 });
    expect(verified()).to.deep.equal([
      {
        type: 'alert.raised',
        timestamp: alert?.since,
        data: {
          alert_id: alert?.alert_id,
          shop_id: shop.id,
          kind: 'data_stopped',
          day: null,
          measured: '25',
          threshold: '24',
          currency: null,
        },
      },
    ]);
    await push(placedOrder('b', Date.now(), '10'));
    await turn(HOUR_MS);
    expect((await alerts()).map(({ ended_at }) => ended_at)).to.not.include(null);
    expect(own()).to.have.length(1);
  });

  it('say once that more orders are refused than usual', async () => {
    await turnOn('refusals_rose', '5');
    const good = Array.from({ length: 18 }, (_, i) => placedOrder(String(i), Date.now(), '10'));
    await push(...good, placedOrder('x', Date.now(), '-1'), placedOrder('y', Date.now(), '-1'));
    await turn();
    await turn(6 * MINUTE_MS);
    expect(await alerts()).to.have.length(1);
    expect((await alerts())[0]).to.include({ kind: 'refusals_rose', measured: '10', ended_at: null });
    await turn(26 * HOUR_MS);
    expect((await alerts())[0]?.ended_at).to.be.a('string');
    // The same refusals once more.
    await turn();
    expect(await alerts()).to.have.length(1);
    expect(verified()).to.have.length(1);
  });

  it('say once that costs of orders, or their fees, are not known any more, and end when they are', async () => {
    await turnOn('costs_fell', '95');
    await turnOn('fees_fell', '95');
    await push(placedOrder('a', Date.now(), '10'));
    await turn();
    await turn(6 * MINUTE_MS);
    expect((await alerts()).map(({ kind, measured }) => `${kind} ${measured}`)).to.have.members([
      'costs_fell 0',
      'fees_fell 0',
    ]);
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'A', unit_cost: '4', effective_from: null }] });
    await service.settled();
    await turn();
    const open = async () => (await alerts()).filter(({ ended_at }) => ended_at === null).map(({ kind }) => kind);
    expect(await open()).to.deep.equal(['fees_fell']);
    await push(placedOrder('a', Date.now(), '10', { gateway_fee: '0.30' }));
    await turn();
    expect(await open()).to.deep.equal([]);
    expect(verified()).to.have.length(2);
  });

  it('say once that a past day changed by more than an amount, and by how much', async () => {
    const day = Date.now() - 48 * HOUR_MS;
    await push(placedOrder('a', day, '50'), placedOrder('b', day - 24 * HOUR_MS, '50'));
    await turnOn('past_day_changed', '100');
    await turn(2_000);
    expect(await alerts()).to.deep.equal([]);
    await push(placedOrder('late', day, '120.5'), placedOrder('small', day - 24 * HOUR_MS, '99'));
    await turn(2_000);
    await turn(6 * MINUTE_MS);
    expect((await alerts()).map(({ kind, day: of, measured }) => ({ kind, of, measured }))).to.deep.equal([
      { kind: 'past_day_changed', of: dayAt(day), measured: '120.50' },
    ]);
    expect(verified()).to.have.length(1);
    expect(own()[0]?.body.data).to.include({ day: dayAt(day), measured: '120.50', threshold: '100', currency: 'EUR' });
    await turn(25 * HOUR_MS);
    expect((await alerts())[0]?.ended_at).to.be.a('string');
  });

  it('say once that a day ended with a loss, of days that ended since', async () => {
    const lost = (id: string, at: number) => placedOrder(id, at, '10', { gateway_fee: '60' });
    const now = Date.now();
    await push(lost('before', now - 24 * HOUR_MS), lost('today', now));
    await turnOn('day_lost', '0');
    await turn();
    expect(await alerts()).to.deep.equal([]);
    await turn(24 * HOUR_MS);
    await turn(25 * HOUR_MS - MINUTE_MS);
    expect((await alerts()).map(({ kind, day, measured }) => ({ kind, day, measured }))).to.deep.equal([
      { kind: 'day_lost', day: dayAt(now), measured: '-50.00' },
    ]);
    expect(verified()).to.have.length(1);
    await push(
      placedOrder('today', now, '100', { gateway_fee: '60', updated_at: new Date(now + 1_000).toISOString() }),
    );
    await turn(24 * HOUR_MS);
    expect((await alerts())[0]?.ended_at).to.be.a('string');
  });

  it('end when they are turned off', async () => {
    await push(placedOrder('a', Date.now(), '10'));
    await turnOn('costs_fell', '95');
    await turn();
    await turnOn('costs_fell', '95', false);
    await turn();
    expect((await alerts()).map(({ ended_at }) => ended_at === null)).to.deep.equal([false]);
  });

  it('are sent again after a 500, under the same id, and given up after about a day', async () => {
    receiver.answers.splice(0, 1, 500, 302, 204);
    await push(placedOrder('a', Date.now(), '10'));
    await turnOn('costs_fell', '95');
    await turn();
    expect((await alerts())[0]).to.include({ delivery: 'waiting', attempts: 1, problem: 'It answered 500.' });
    await turn(MINUTE_MS / 2);
    expect(own()).to.have.length(1);
    await turn(2 * MINUTE_MS);
    expect((await alerts())[0]).to.include({ delivery: 'waiting', attempts: 2, problem: 'It answered 302.' });
    await turn(8 * MINUTE_MS);
    expect((await alerts())[0]).to.include({ delivery: 'sent', attempts: 3, problem: null });
    expect(new Set(own().map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
    expect(verified()).to.have.length(3);

    receiver.answers.splice(0, 1, 503);
    await turnOn('costs_fell', '95', false);
    await turn();
    await turnOn('costs_fell', '95');
    for (const hours of [0, 0.1, 0.2, 0.8, 3, 9, 18, 28, 29]) await turn(hours * HOUR_MS);
    expect((await alerts())[0]).to.include({ delivery: 'failed', problem: 'It answered 503.', attempts: 8 });
    expect(own()).to.have.length(3 + 8);
  });

  it('are sent by the next worker when one ends after it raised them, and again when one ends before it noted the answer', async () => {
    await push(placedOrder('a', Date.now(), '10'));
    await turnOn('costs_fell', '95');
    const store = createAlertStore(service.stores.warehouse);
    receiver.answers.splice(0, 1, 500, 204);
    await turn();
    const [alert] = await store.list(shop.id, 1);
    // As it is between raising and sending.
    if (alert)
      await store.write(shop.id, [{ ...alert, attempts: 0, nextAt: alert.since }], await service.stores.takeStamps());
    await turn();
    expect((await alerts())[0]).to.include({ delivery: 'sent', attempts: 1 });
    expect(own().map(({ headers }) => headers['webhook-id'])).to.deep.equal([alert?.alertId, alert?.alertId]);
  });

  it('are looked at by one worker at a time', async () => {
    await push(placedOrder('a', Date.now(), '10'));
    await turnOn('costs_fell', '95');
    const loops = Array.from({ length: 4 }, () => openAlertLoops(service.config, service.stores, 0, () => undefined));
    await service.stores.redis.del('alerts:looked');
    await Promise.all(loops.map(({ look }) => look()));
    await Promise.all(loops.map(({ send }) => send()));
    expect(await alerts()).to.have.length(1);
    expect(own()).to.have.length(1);
  });
});
