import { setImmediate as turn } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { orderVersion } from '../../src/domain/orders/orders.js';
import { RequestError } from '../../src/errors.js';
import type { Items } from '../../src/body/items.js';
import { NEVER_YIELDS } from '../../src/body/yielding.js';
import { sender, startOrderIntake } from './order-intake.js';

const order = (hour: number, id = 'o') => ({
  order_id: id,
  placed_at: '2026-03-01T00:00:00Z',
  updated_at: `2026-03-02T${String(hour).padStart(2, '0')}:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  total: '1',
  line_items: [{ line_id: '1', quantity: '1', unit_price: '1' }],
});
const itemsOf = (value: object): Items => ({
  length: 1,
  *[Symbol.iterator]() {
    yield { value };
  },
  read: () => ({ value }),
});

async function start() {
  const stored = new Map<string, number>();
  const rows: Buffer[] = [];
  const slow = { until: Promise.resolve() };
  const { queue, takeOrders } = await startOrderIntake({
    add: (job) => {
      rows.push(inflateRawSync(job.rows));
      return slow.until;
    },
    newestVersions: () => Promise.resolve(stored),
  });
  const push = async (hour: number, id?: string): Promise<string> => {
    try {
      const { results } = await takeOrders(sender, itemsOf(order(hour, id)), {
        validateOnly: false,
        yielder: NEVER_YIELDS,
      });
      return results[0]?.outcome ?? '';
    } catch (error) {
      return error instanceof RequestError ? error.errors[0].code : String(error);
    }
  };
  /** The version of an hour has reached the warehouse. */
  const store = (hour: number): void => void stored.set('o', orderVersion(order(hour)));
  return { queue, rows, slow, push, store };
}

describe('the way in of orders', () => {
  it('takes an older version after the queue has refused a newer one', async () => {
    const { queue, push } = await start();
    queue.isAway = true;
    expect(await push(9)).to.equal('queue_unavailable');
    queue.isAway = false;
    expect(await push(8)).to.equal('accepted');
    expect(queue.jobs).to.equal(1);
    expect(await push(7)).to.equal('superseded');
  });

  it('keeps what is stored, whatever the queue refuses after it', async () => {
    const { queue, push, store } = await start();
    expect(await push(5)).to.equal('accepted');
    store(5);
    queue.isAway = true;
    expect(await push(6)).to.equal('queue_unavailable');
    queue.isAway = false;
    expect(await push(4)).to.equal('superseded');
    expect(await push(5)).to.equal('accepted');
  });

  it('keeps the rows of each push until the queue has them, however long that takes', async () => {
    const { queue, rows, slow, push } = await start();
    let goOn: (() => void) | undefined;
    slow.until = new Promise<void>((resolve) => (goOn = resolve));
    const ids = Array.from({ length: 8 }, (_, i) => `order-${i}`);
    const pushes: Promise<string>[] = [];
    for (const id of ids) {
      pushes.push(push(1, id));
      for (let turns = 0; turns < 10; turns++) await turn();
    }
    expect(queue.jobs, 'the others wait').to.equal(2);
    goOn?.();
    expect(new Set(await Promise.all(pushes))).to.deep.equal(new Set(['accepted']));
    const text = Buffer.concat(rows).toString('latin1');
    // Once in the row of the order, and once in that of its day.
    expect(ids.map((id) => text.split(id).length - 1)).to.deep.equal(ids.map(() => 2));
  });
});
