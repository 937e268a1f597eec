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
import { serviceEnvironment, useService, type Shop } from '../support/service.js';
import { NEVER, startReceiver, type Receiver } from '../support/webhook-receiver.js';

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
  /** A shop that has something to alert of, and the secret of its webhook. */
  const loudShop = async (url: string): Promise<{ shop: Shop; secret: string }> => {
    const shop = await service.shop();
    const { secret } = (await json(await operator.send('PUT', `${path(shop)}/webhook`, { url }))) as { secret: string };
    const order = {
      order_id: '1',
      placed_at: new Date().toISOString(),
      currency: 'EUR',
      status: 'paid',
      total: '10',
      line_items: [{ line_id: '1', sku: 'A', quantity: '1', unit_price: '10' }],
    };
    await shop.call('POST', '/v1/orders', { orders: [order] });
    await service.settled();
    await json(await setRule(shop, true));
    return { shop, secret };
  };

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
    // The first connection is the last that the worker does.
    const deadly = createServer((socket) => {
      worker?.kill('SIGKILL');
      socket.destroy();
    }).listen(port, '127.0.0.1');
    await once(deadly, 'listening');
    const [, signal] = (await once(await start(), 'exit')) as [number | null, string | null];
    expect(signal).to.equal('SIGKILL');
    await new Promise((resolve) => deadly.close(resolve));
    const raised = await Promise.all([loud, quiet, closed].map(alertOf));
    expect(raised.map((alert) => alert?.delivery)).to.deep.equal(['waiting', 'waiting', 'waiting']);

    await json(await setRule(quiet, false));
    await json(await operator.post(`/app/api/shops/${closed.id}/close`, { shop_id: closed.id }));
    receiver = await startReceiver(port);
    await start();
    const ended = await Promise.all([loud, quiet, closed].map(over));
    expect(ended.map(({ delivery }) => delivery)).to.deep.equal(['sent', 'none', 'none']);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).to.deep.equal([raised[0]?.alert_id]);
    const [{ payload, headers } = { payload: '', headers: {} }] = receiver.received;
    expect(new Webhook(secret).verify(payload, headers)).to.have.nested.property('data.shop_id', loud.id);
  });

  it('after it was sent and before that was noted: the next worker sends it again under the same id', async () => {
    receiver = await startReceiver();
    receiver.answers.splice(0, 1, NEVER, 204);
    const { shop, secret } = await loudShop(`${receiver.url}/hook`);
    await start();
    const { received } = receiver;
    await until('it is sent', () => received.length === 1);
    await kill();
    expect(await alertOf(shop)).to.include({ delivery: 'waiting', attempts: 0 });
    await start();
    const { alert_id, delivery } = await over(shop);
    expect(delivery).to.equal('sent');
    expect(received.map(({ headers }) => headers['webhook-id'])).to.deep.equal([alert_id, alert_id]);
    for (const { payload, headers } of received) new Webhook(secret).verify(payload, headers);
  });
});
