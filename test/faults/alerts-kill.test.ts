import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { keptPort } from '../support/remembered-port.js';
import { lockKey } from '../../src/redis/locks.js';
import type { AlertsAnswer, ShownAlert } from '../../src/schemas/alerts.js';
import { json, OPERATOR_ENV, signInAsOperator, type Operator } from '../console/support.js';
import { until } from '../embedded/processes.js';
import { createAlertStore } from '../../src/warehouse/queries/alerts.js';
import { placedOrder, pushSettled } from '../support/placed-order.js';
import { serviceEnvironment, useService, type Shop } from '../support/service.js';
import { NEVER, startReceiver, type Receiver } from '../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TO_PRIVATE = { WEBHOOKS_TO_PRIVATE: '1' };

describe('kill -9 of the worker that sends an alert', () => {
  // Its workers raise no alerts: those are the killed ones' alone.
  const service = useService({ env: { ...OPERATOR_ENV, ...TO_PRIVATE } });
  let operator: Operator;
  let worker: ChildProcess | undefined;
  let receiver: Receiver | undefined;

  before(async () => {
    operator = await signInAsOperator(service);
  });
  afterEach(async () => {
    await kill();
    await receiver?.stop();
  });

  const path = (shop: Shop): string => `/app/api/shops/${shop.id}/alerts`;
  const setRule = (shop: Shop, is_on: boolean) =>
    operator.send('PUT', path(shop), { rules: [{ kind: 'costs_fell', is_on, threshold: '95' }] });
  const alertOf = async (shop: Shop): Promise<ShownAlert | undefined> => {
    const { alerts }: AlertsAnswer = await json(await operator.get(path(shop)));
    expect(alerts).to.have.length.at.most(1);
    return alerts[0];
  };
  const over = (shop: Shop): Promise<ShownAlert> =>
    until(`the message of ${shop.id} waits no more`, async () => {
      const alert = await alertOf(shop);
      return alert?.delivery === 'waiting' ? undefined : alert;
    });
  const listeningShop = async (url: string, timezone = 'UTC'): Promise<{ shop: Shop; secret: string }> => {
    const shop = await service.shop({ timezone });
    const { secret } = (await json(await operator.send('PUT', `${path(shop)}/webhook`, { url }))) as { secret: string };
    return { shop, secret };
  };
  /** A shop that has something to alert of, and the secret of its webhook. */
  const loudShop = async (url: string): Promise<{ shop: Shop; secret: string }> => {
    const { shop, secret } = await listeningShop(url);
    await pushSettled(service, shop, [placedOrder('1', Date.now(), '10')]);
    await json(await setRule(shop, true));
    return { shop, secret };
  };
  /** A shop whose summary of the day before is due: it is about noon there. */
  const morningShop = async (url: string): Promise<{ shop: Shop; secret: string; day: string }> => {
    const ahead = 12 - new Date().getUTCHours();
    const { shop, secret } = await listeningShop(
      url,
      ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`,
    );
    await pushSettled(service, shop, [placedOrder('1', Date.now() - DAY_MS, '10')]);
    const onSince = Date.now() - DAY_MS;
    const { warehouse, takeStamps } = service.stores;
    const rule = { kind: 'morning_summary', isOn: true, threshold: '0', onSince } as const;
    await createAlertStore(warehouse).writeRules(shop.id, [rule], await takeStamps());
    return { shop, secret, day: new Date(onSince + ahead * HOUR_MS).toISOString().slice(0, 10) };
  };
  /** What its summary would say otherwise, if it were not as of the moment at which it was raised. */
  const pushLate = (shop: Shop): Promise<void> =>
    pushSettled(service, shop, [placedOrder('late', Date.now() - DAY_MS, '77'), placedOrder('new', Date.now(), '66')]);
  const messagesOf = ({ received }: Receiver, shop: Shop) =>
    received.filter(({ payload }) => payload.includes(shop.id));

  const start = async (): Promise<ChildProcess> => {
    // As the next worker does, which finds nothing to do before the lock of a dead one has expired.
    const shards = service.stores.shards.each.map((_, shard) => lockKey(`alerts:${shard}`));
    await until('no dead worker holds a lock', async () => (await service.stores.redis.exists(...shards)) === 0);
    const env = { ...process.env, ...(await serviceEnvironment()), ...TO_PRIVATE };
    return (worker = spawn(process.execPath, ['dist/workers/main.js'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }));
  };
  const kill = async (): Promise<void> => {
    if (worker?.exitCode !== null || worker.signalCode !== null) return;
    const exit = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exit;
  };

  it('after it was raised and before it was sent: the next worker sends it, and nothing for shops that went quiet', async () => {
    const port = await keptPort();
    const url = `http://127.0.0.1:${port}/hook`;
    const { shop: loud, secret } = await loudShop(url);
    const { shop: quiet } = await loudShop(url);
    const { shop: closed } = await loudShop(url);
    const { shop: morning, secret: ownSecret, day } = await morningShop(url);
    // The first connection is the last that the worker does.
    const deadly = createServer((socket) => {
      worker?.kill('SIGKILL');
      socket.destroy();
    }).listen(port, '127.0.0.1');
    await once(deadly, 'listening');
    const [, signal] = (await once(await start(), 'exit')) as [number | null, string | null];
    expect(signal).to.equal('SIGKILL');
    await new Promise((resolve) => deadly.close(resolve));
    const raised = await Promise.all([loud, quiet, closed, morning].map(alertOf));
    expect(raised.map((alert) => alert?.delivery)).to.deep.equal(['waiting', 'waiting', 'waiting', 'waiting']);

    await json(await setRule(quiet, false));
    await json(await operator.post(`/app/api/shops/${closed.id}/close`, { shop_id: closed.id }));
    await pushLate(morning);
    receiver = await startReceiver(port);
    await start();
    const ended = await Promise.all([loud, quiet, closed, morning].map(over));
    expect(ended.map(({ delivery }) => delivery)).to.deep.equal(['sent', 'none', 'none', 'sent']);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).to.have.members([
      raised[0]?.alert_id,
      raised[3]?.alert_id,
    ]);
    const [{ payload, headers } = { payload: '', headers: {} }] = messagesOf(receiver, loud);
    expect(new Webhook(secret).verify(payload, headers)).to.have.nested.property('data.shop_id', loud.id);
    const [summary = { payload: '', headers: {} }] = messagesOf(receiver, morning);
    const { data } = new Webhook(ownSecret).verify(summary.payload, summary.headers) as {
      data: { day: string; statement: object; today: object };
    };
    expect(data.day).to.equal(day);
    expect(data.statement).to.include({ revenue: '10.00', orders: 1 });
    expect(data.today).to.include({ orders: 0 });
  });

  it('after it was sent and before that was noted: the next worker sends it again under the same id', async () => {
    receiver = await startReceiver();
    receiver.answers.splice(0, 1, NEVER, NEVER, 204);
    const loud = await loudShop(`${receiver.url}/hook`);
    const morning = await morningShop(`${receiver.url}/hook`);
    await start();
    const { received } = receiver;
    await until('both are sent', () => received.length === 2);
    await kill();
    await pushLate(morning.shop);
    for (const { shop, secret } of [loud, morning]) {
      expect(await alertOf(shop)).to.include({ delivery: 'waiting', attempts: 0 });
      for (const { payload, headers } of messagesOf(receiver, shop)) new Webhook(secret).verify(payload, headers);
    }
    await start();
    for (const { shop } of [loud, morning]) {
      const { alert_id, delivery } = await over(shop);
      expect(delivery).to.equal('sent');
      expect(messagesOf(receiver, shop).map(({ headers }) => headers['webhook-id'])).to.deep.equal([
        alert_id,
        alert_id,
      ]);
    }
    const [first, again] = messagesOf(receiver, morning.shop).map(({ payload }) => payload);
    expect(again, 'the summary, byte for byte').to.equal(first);
  });
});
