import { expect } from 'chai';
import { RequestError } from '../../src/errors.js';
import { sender, startOrderIntake } from './order-intake.js';

/** Deletions with a warehouse that is away. */
async function start() {
  const { redis, queue, versions, deleteOrder } = await startOrderIntake({
    newestVersions: () => Promise.reject(new Error('no warehouse')),
  });
  const outcome = async (): Promise<string> => {
    try {
      return (await deleteOrder(sender, 'o')) === null ? 'unknown' : 'deleted';
    } catch (error) {
      return error instanceof RequestError ? error.errors[0].code : String(error);
    }
  };
  return { redis, queue, versions, outcome };
}

describe('the deletion of an order while the warehouse is away', () => {
  it('is queued where Redis knows the order, one microsecond after a version that is ahead of now', async () => {
    const { redis, queue, versions, outcome } = await start();
    const ahead = Date.parse('2026-07-01T12:00:00Z') * 1000;
    await redis.hset('versions:{shop}', 'o', `${ahead}:mark`);
    expect(await outcome()).to.equal('deleted');
    expect(queue.jobs).to.equal(1);
    expect(await versions.find('shop', 'o')).to.equal(ahead + 1);
  });

  it('leaves the version as it was when the queue refuses it', async () => {
    const { redis, queue, versions, outcome } = await start();
    await redis.hset('versions:{shop}', 'o', '5:mark');
    queue.isAway = true;
    expect(await outcome()).to.equal('queue_unavailable');
    expect(await versions.find('shop', 'o')).to.equal(5);
  });

  it('is not found where Redis knows all orders of the shop, and else the warehouse is needed', async () => {
    const { redis, queue, outcome } = await start();
    expect(await outcome()).to.equal('unknown');
    await redis.hdel('source:{shop}', 'known_from');
    expect(await outcome()).to.equal('store_unavailable');
    expect(queue.jobs).to.equal(0);
  });
});
