import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from '../../src/embedded/engines/free-port.js';
import { eventBodies } from '../support/generated-events.js';
import { keepAlive } from '../support/keep-alive.js';
import { serviceEnvironment, startService, type Service } from '../support/service.js';

const BATCHES = 2_000;
const EVENTS = 20;
const SENDERS = 16;
const KILLS = 8;

describe('kill -9 in the middle of collecting', () => {
  let observer: Service;

  before(async () => {
    // Nobody works in this process: what is drained, the killed children drain.
    observer = await startService({ workers: false });
  });
  after(() => observer.stop());

  it('of the API and the workers loses no event that was answered, and counts none twice', async () => {
    const shop = await observer.shop();
    const token = await observer.key(shop.id, 'pixel');
    const bodies = eventBodies(11, BATCHES, token);
    const port = await freePort();
    const env = { ...(await serviceEnvironment()), PORT: String(port), LOG_LEVEL: 'info' };
    const api = keepAlive('dist/src/main.js', env);
    const worker = keepAlive('dist/workers/main.js', env);

    let left = bodies.length;
    const send = async (body: Buffer): Promise<void> => {
      // As a client that met no server: the very same bytes again.
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/v1/collect`, { method: 'POST', body }).catch(() => null);
        if (answer?.status === 204) return;
        expect(answer?.status ?? 503, await answer?.text()).to.equal(503);
        await sleep(50);
      }
    };
    const sending = Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
          await send(body);
          left--;
          await sleep(20);
        }
      }),
    );
    let kills = 0;
    for (; left > 0 && kills < KILLS; kills++) {
      await Promise.all([worker.started(), api.started()]);
      await sleep(800);
      (kills % 2 === 0 ? worker : api).kill();
    }
    await sending;
    expect(kills).to.be.at.least(4);

    await observer.settled();
    const [counts] = await observer.stores.warehouse.query<{ n: string; ids: string; seen: string }>(
      `SELECT count() AS n, uniqExact(event_id) AS ids,
         (SELECT count() FROM visitor_events FINAL WHERE shop_id = {shop:String}) AS seen
       FROM events FINAL WHERE shop_id = {shop:String}`,
      { shop: shop.id },
    );
    const all = String(BATCHES * EVENTS);
    expect(counts).to.deep.equal({ n: all, ids: all, seen: all });
    await Promise.all([api.stop(), worker.stop()]);
  });
});
