import { expect } from 'chai';
import type { GroupCommit } from '../../src/ingest/group-commit.js';
import { chooseOrderQueue, PROMPT_ORDERS } from '../../src/ingest/order-queues.js';
import type { OrdersPush } from '../../src/queue/jobs.js';

function start() {
  const clock = { ms: 1_000_000 };
  const unused = (): never => {
    throw new Error('nothing is pushed here');
  };
  const prompt: GroupCommit<OrdersPush> = { openSlot: unused, add: unused };
  const bulk: GroupCommit<OrdersPush> = { openSlot: unused, add: unused };
  const queueFor = chooseOrderQueue({ prompt, bulk, now: () => clock.ms });
  const way = (shop: string, orders: number): string => (queueFor(shop, orders) === prompt ? 'prompt' : 'bulk');
  return { clock, way };
}

describe('the queue of a push of orders', () => {
  it('is the prompt one for a full push of a shop, and the one for bulk for what follows in that second', () => {
    const { way } = start();
    expect([way('a', PROMPT_ORDERS), way('a', 1), way('a', PROMPT_ORDERS)]).to.deep.equal(['prompt', 'bulk', 'bulk']);
  });

  it('is chosen by the orders of all small pushes together', () => {
    const { way } = start();
    const ways = Array.from({ length: 6 }, () => way('a', PROMPT_ORDERS / 5));
    expect(ways).to.deep.equal([...Array<string>(5).fill('prompt'), 'bulk']);
  });

  it('is the prompt one for a small push after a large one went as bulk', () => {
    const { way } = start();
    expect([way('a', 10), way('a', PROMPT_ORDERS), way('a', 10)]).to.deep.equal(['prompt', 'bulk', 'prompt']);
  });

  it('is the prompt one again in the next second', () => {
    const { clock, way } = start();
    way('a', PROMPT_ORDERS);
    clock.ms += 999;
    expect(way('a', 1)).to.equal('bulk');
    clock.ms += 1;
    expect(way('a', 1)).to.equal('prompt');
  });

  it('is chosen for each shop by itself', () => {
    const { way } = start();
    way('a', PROMPT_ORDERS);
    expect([way('b', PROMPT_ORDERS), way('a', 1)]).to.deep.equal(['prompt', 'bulk']);
  });
});
