import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createRebuildQueue, type Claim, type RebuildQueue } from '../../src/redis/rebuild-queue.js';
import { createStamps } from '../../src/redis/stamps.js';
import { sharedEngines } from '../support/shared-engines.js';

const LEASE = 60_000;

describe('a rebuild queue', () => {
  let redis: Redis;
  let queue: RebuildQueue;
  let names = 0;

  before(async () => {
    redis = new Redis((await sharedEngines()).redis.url);
  });
  beforeEach(() => {
    queue = createRebuildQueue(redis, `test:entries:${process.pid}:${++names}`, 60_000);
  });
  after(() => redis.disconnect());

  const add = (shopId: string, ...ids: string[]) => queue.add(ids.map((id) => ({ shopId, id })));
  const namesOf = (claims: readonly Claim[]) => claims.map(({ shopId, id }) => `${shopId}/${id}`);

  it('gives each entry to one worker alone, in the order of arrival', async () => {
    for (const id of ['c', 'a', 'b']) await add('x', id);
    expect(namesOf(await queue.claim(2, LEASE))).to.deep.equal(['x/c', 'x/a']);
    expect(namesOf(await queue.claim(2, LEASE))).to.deep.equal(['x/b']);
    expect(await queue.claim(2, LEASE)).to.deep.equal([]);
    expect(await queue.count()).to.equal(3);
  });

  it('never gives one entry to two workers that claim at once', async () => {
    await add('x', ...Array.from({ length: 500 }, (_, i) => `${i}`));
    const claimed = await Promise.all(Array.from({ length: 20 }, () => queue.claim(40, LEASE)));
    const ids = claimed.flat().map(({ id }) => id);
    expect(ids).to.have.length(500);
    expect(new Set(ids).size).to.equal(500);
  });

  it('takes turns: a shop with many entries leaves room for the others', async () => {
    await add('big', ...Array.from({ length: 1_000 }, (_, i) => `${i}`));
    await add('small', 'a', 'b');
    await add('tiny', 'a');
    const first = namesOf(await queue.claim(30, LEASE));
    expect(first).to.include.members(['small/a', 'small/b', 'tiny/a']);
    expect(first).to.have.length(30);
    await add('late', 'a');
    expect(namesOf(await queue.claim(30, LEASE))).to.include('late/a');
  });

  it('works by place where one is given', async () => {
    await queue.add([
      { shopId: 'x', id: '2026-01-01', place: -20_454 },
      { shopId: 'x', id: '2026-03-01', place: -20_513 },
    ]);
    await queue.add([{ shopId: 'x', id: '2026-02-01', place: -20_485 }]);
    expect(namesOf(await queue.claim(9, LEASE))).to.deep.equal(['x/2026-03-01', 'x/2026-02-01', 'x/2026-01-01']);
  });

  it('keeps the place of an entry that is set again', async () => {
    for (const id of ['a', 'b', 'a']) await add('x', id);
    expect(namesOf(await queue.claim(1, LEASE))).to.deep.equal(['x/a']);
  });

  it('removes what is done, and brings back what was set again meanwhile after as long a rest as it took', async () => {
    await add('x', 'a', 'b');
    const claims = await queue.claim(9, LEASE);
    await add('x', 'b');
    expect(await queue.claim(9, LEASE)).to.deep.equal([]);
    const finished = Date.now();
    await queue.finish(claims, 2_000);
    expect(await queue.count()).to.equal(1);
    expect(await queue.claim(9, LEASE)).to.deep.equal([]);
    let again: Claim[] = [];
    while (again.length === 0) again = await queue.claim(9, LEASE);
    expect(Date.now() - finished).to.be.at.least(1_900);
    expect(namesOf(again)).to.deep.equal(['x/b']);
    await queue.finish(again, 0);
    expect(await queue.count()).to.equal(0);
  });

  it('lets what was worked on rest also when it is queued later, and goes on with the other entries of the shop', async () => {
    await add('x', 'a', 'b');
    const first = await queue.claim(1, LEASE);
    expect(namesOf(first)).to.deep.equal(['x/a']);
    await add('x', 'a');
    await queue.finish(first, 60_000);
    const second = await queue.claim(9, LEASE);
    expect(namesOf(second)).to.deep.equal(['x/b']);
    await queue.finish(second, 60_000);
    expect(await queue.count()).to.equal(1);
    await add('x', 'b', 'c');
    expect(namesOf(await queue.claim(9, LEASE))).to.deep.equal(['x/c']);
    expect(await queue.count()).to.equal(3);
  });

  it('never holds more than what was worked on lately', async () => {
    const resting = `test:entries:${process.pid}:${names}:resting`;
    for (let round = 0; round < 3; round++) {
      await add('x', ...Array.from({ length: 200 }, (_, i) => `${round}-${i}`));
      await queue.finish(await queue.claim(200, LEASE), 5);
      expect(await redis.zcard(resting)).to.be.within(1, 600);
    }
    await sleep(10);
    expect(await queue.claim(9, LEASE)).to.deep.equal([]);
    expect(await redis.exists(resting)).to.equal(0);
  });

  it('gives back the claims of a worker that is gone, and keeps those that are renewed', async () => {
    await add('x', 'gone', 'held');
    const claims = await queue.claim(9, 50);
    await queue.renew(
      claims.filter(({ id }) => id === 'held'),
      LEASE,
    );
    let back: Claim[] = [];
    while (back.length === 0) {
      await sleep(5);
      back = await queue.claim(9, LEASE);
    }
    expect(namesOf(back)).to.deep.equal(['x/gone']);
    // The first worker was only slow: what it computed began after the entry, so its end counts.
    await queue.finish(claims, 0);
    expect(await queue.count()).to.equal(0);
    await queue.finish(back, 0);
    expect(await queue.claim(9, LEASE)).to.deep.equal([]);
  });

  it('keeps an entry that was set after a claim ran out, whoever ends first', async () => {
    await add('x', 'a');
    const slow = await queue.claim(9, 1);
    await sleep(5);
    await add('x', 'a');
    const second = await queue.claim(9, LEASE);
    expect(namesOf(second)).to.deep.equal(['x/a']);
    await queue.finish(slow, 0);
    expect(await queue.count()).to.equal(1);
    await queue.finish(second, 0);
    expect(await queue.count()).to.equal(0);
  });

  it('gives released claims back at once', async () => {
    await add('x', 'a');
    await queue.release(await queue.claim(9, LEASE));
    expect(namesOf(await queue.claim(9, LEASE))).to.deep.equal(['x/a']);
  });

  it('gives out all entries when the clock of Redis is put back by an hour', async () => {
    await add('x', 'rests');
    await queue.finish(await queue.claim(1, LEASE), 5_000);
    await add('x', 'rests', 'gone', 'fails');
    for (const claim of await queue.claim(9, LEASE)) if (claim.id === 'fails') await queue.quarantine(claim, 'reason');
    await add('y', 'waits');
    for (const part of ['shops', 'leases', 'quarantined', 'resting']) {
      const key = `test:entries:${process.pid}:${names}:${part}`;
      const members = await redis.zrange(key, '0', '-1');
      expect(members, part).to.have.length(1);
      for (const member of members) await redis.zincrby(key, 3_600e6, member);
    }
    expect(namesOf(await queue.claim(9, LEASE))).to.have.members(['x/rests', 'x/gone', 'x/fails', 'y/waits']);
  });

  it('sets a failing entry apart with its reason, tries it again later, and forgets its failures once it is done', async () => {
    await add('x', 'bad', 'good');
    const claims = await queue.claim(9, LEASE);
    const bad = claims.find(({ id }) => id === 'bad');
    if (bad === undefined) throw new Error('not claimed');
    const before = Date.now();
    await queue.quarantine(bad, 'MEMORY_LIMIT_EXCEEDED');
    await queue.finish(
      claims.filter((claim) => claim !== bad),
      0,
    );
    await add('x', 'bad');
    expect(await queue.claim(9, LEASE)).to.deep.equal([]);
    const [failure] = await queue.failures('x', 10);
    expect(failure).to.include({ id: 'bad', tries: 1, reason: 'MEMORY_LIMIT_EXCEEDED' });
    expect(failure?.since).to.be.closeTo(before, 60_000);
    let again: Claim[] = [];
    while (again.length === 0) {
      await sleep(20);
      again = await queue.claim(9, LEASE);
    }
    expect(namesOf(again)).to.deep.equal(['x/bad']);
    await queue.finish(again, 0);
    expect(await queue.failures('x', 10)).to.deep.equal([]);
    expect(await queue.count()).to.equal(0);
  });

  it('tells whose work is done since a stamp, also of an entry that is set again all the time', async () => {
    const takeStamps = createStamps(redis);
    const unfinished = (stamp: number) => queue.unfinished('x', ['a', 'b', 'never'], stamp);
    const before = await takeStamps();
    await add('x', 'a', 'b');
    expect(await unfinished(before)).to.deep.equal(['a', 'b']);

    const claims = await queue.claim(9, LEASE);
    const between = await takeStamps();
    await add('x', 'a');
    expect(await unfinished(before)).to.deep.equal(['a', 'b']);
    await queue.finish(claims, 0);
    expect(await unfinished(before)).to.deep.equal([]);
    expect(await unfinished(between), 'it was claimed before').to.deep.equal(['a']);

    await queue.finish(await queue.claim(9, LEASE), 0);
    expect(await unfinished(between)).to.deep.equal([]);
    expect(await redis.exists(`test:entries:${process.pid}:${names}:done`)).to.equal(0);
  });

  it('tells whose work failed or was given back as not done', async () => {
    const stamp = await createStamps(redis)();
    await add('x', 'a', 'b');
    const [a, b] = await queue.claim(9, LEASE);
    if (a === undefined || b === undefined) throw new Error('nothing was claimed');
    await queue.quarantine(a, 'reason');
    await queue.release([b]);
    expect(await queue.unfinished('x', ['a', 'b'], stamp)).to.deep.equal(['a', 'b']);
  });
});
