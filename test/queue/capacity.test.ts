import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { watchCapacity } from '../../src/queue/capacity.js';
import { until } from '../embedded/processes.js';

/** A server with one queue: its memory, and the age of the oldest job. */
function serverWith(seen: { used: number; ageMs: number }, limit = 1000): Redis {
  return {
    info: () => Promise.resolve(`used_memory:${seen.used}\r\nmaxmemory:${limit}\r\n`),
    eval: () => Promise.resolve([[3, 0, 0, 0, 3, 300, seen.ageMs]]),
  } as unknown as Redis;
}

describe('the budget of the queues', () => {
  for (const [name, over, below] of [
    ['memory', { used: 101, ageMs: 0 }, { used: 89, ageMs: 0 }],
    ['age of the oldest job', { used: 0, ageMs: 60_001 }, { used: 0, ageMs: 53_999 }],
  ] as const) {
    it(`refuses writes above its ${name}, and takes them again some way below`, async () => {
      const seen = { used: 0, ageMs: 0 };
      const capacity = watchCapacity(serverWith(seen), ['orders'], { maxBytes: 100, maxAgeMs: 60_000 });
      try {
        capacity.require();
        Object.assign(seen, over);
        await until('the door closes', () => !capacity.ok());
        expect(() => capacity.require())
          .to.throw('nothing was taken')
          .with.property('retryAfter', 5);
        Object.assign(seen, below);
        await until('the door opens', () => capacity.ok());
        capacity.require();
        expect(capacity.view().states.get('orders')).to.include({ waiting: 3, bytes: 300 });
      } finally {
        capacity.stop();
      }
    });
  }

  it('stays below what Redis itself may use, so that workers can still write', async () => {
    const seen = { used: 749, ageMs: 0 };
    const capacity = watchCapacity(serverWith(seen), ['orders'], { maxBytes: 10_000, maxAgeMs: 60_000 });
    try {
      await until('it has looked', () => capacity.view().memory.used === 749);
      capacity.require();
      seen.used = 751;
      await until('the door closes', () => capacity.view().over === 'bytes');
    } finally {
      capacity.stop();
    }
  });

  it('is closed to events first where queues share a Redis, by its memory and by their age', async () => {
    const seen = { used: 0, ages: [0, 0] };
    const redis = {
      info: () => Promise.resolve(`used_memory:${seen.used}\r\nmaxmemory:0\r\n`),
      eval: () => Promise.resolve(seen.ages.map((ageMs) => [3, 0, 0, 0, 3, 300, ageMs])),
    } as unknown as Redis;
    const capacity = watchCapacity(redis, ['orders', 'events'], { maxBytes: 100, maxAgeMs: 60_000 });
    const doors = () => [capacity.view().over, capacity.view().eventsOver];
    const become = async (used: number, ages: number[], expected: unknown[]): Promise<void> => {
      Object.assign(seen, { used, ages });
      await until(`the doors are ${expected.join()}`, () => doors().join() === expected.join());
    };
    try {
      await become(76, [0, 0], [null, 'bytes']);
      capacity.require();
      expect(() => capacity.requireForEvents()).to.throw('nothing was taken');
      await become(101, [0, 0], ['bytes', 'bytes']);
      await become(0, [0, 60_001], [null, 'age']);
      await become(0, [60_001, 0], ['age', null]);
      capacity.requireForEvents();
    } finally {
      capacity.stop();
    }
  });

  it('is the configured one where Redis has no limit', async () => {
    const seen = { used: 99, ageMs: 0 };
    const capacity = watchCapacity(serverWith(seen, 0), ['orders'], { maxBytes: 100, maxAgeMs: 60_000 });
    try {
      await until('it has looked', () => capacity.view().memory.used === 99);
      capacity.require();
    } finally {
      capacity.stop();
    }
  });
});
