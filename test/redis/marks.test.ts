import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createMarks, type Claim, type Marks } from '../../src/redis/marks.js';
import { createStamps } from '../../src/redis/stamps.js';
import { sharedEngines } from '../support/shared-engines.js';

const LEASE = 60_000;

describe('marks of work to do', () => {
  let redis: Redis;
  let marks: Marks;
  let names = 0;

  before(async () => {
    redis = new Redis((await sharedEngines()).redis.url);
  });
  beforeEach(() => {
    marks = createMarks(redis, `test:marks:${process.pid}:${++names}`, 60_000);
  });
  after(() => redis.disconnect());

  const mark = (shopId: string, ...ids: string[]) => marks.mark(ids.map((id) => ({ shopId, id })));
  const namesOf = (claims: readonly Claim[]) => claims.map(({ shopId, id }) => `${shopId}/${id}`);

  it('gives each mark to one worker alone, in the order of arrival', async () => {
    for (const id of ['c', 'a', 'b']) await mark('x', id);
    expect(namesOf(await marks.claim(2, LEASE))).to.deep.equal(['x/c', 'x/a']);
    expect(namesOf(await marks.claim(2, LEASE))).to.deep.equal(['x/b']);
    expect(await marks.claim(2, LEASE)).to.deep.equal([]);
    expect(await marks.count()).to.equal(3);
  });

  it('never gives one mark to two workers that claim at once', async () => {
    await mark('x', ...Array.from({ length: 500 }, (_, i) => `${i}`));
    const claimed = await Promise.all(Array.from({ length: 20 }, () => marks.claim(40, LEASE)));
    const ids = claimed.flat().map(({ id }) => id);
    expect(ids).to.have.length(500);
    expect(new Set(ids).size).to.equal(500);
  });

  it('takes turns: a shop with many marks leaves room for the others', async () => {
    await mark('big', ...Array.from({ length: 1_000 }, (_, i) => `${i}`));
    await mark('small', 'a', 'b');
    await mark('tiny', 'a');
    const first = namesOf(await marks.claim(30, LEASE));
    expect(first).to.include.members(['small/a', 'small/b', 'tiny/a']);
    expect(first).to.have.length(30);
    await mark('late', 'a');
    expect(namesOf(await marks.claim(30, LEASE))).to.include('late/a');
  });

  it('works by place where one is given', async () => {
    await marks.mark([
      { shopId: 'x', id: '2026-01-01', place: -20_454 },
      { shopId: 'x', id: '2026-03-01', place: -20_513 },
    ]);
    await marks.mark([{ shopId: 'x', id: '2026-02-01', place: -20_485 }]);
    expect(namesOf(await marks.claim(9, LEASE))).to.deep.equal(['x/2026-03-01', 'x/2026-02-01', 'x/2026-01-01']);
  });

  it('keeps the place of a mark that is set again', async () => {
    for (const id of ['a', 'b', 'a']) await mark('x', id);
    expect(namesOf(await marks.claim(1, LEASE))).to.deep.equal(['x/a']);
  });

  it('removes what is done, and brings back what was set again meanwhile after as long a rest as it took', async () => {
    await mark('x', 'a', 'b');
    const claims = await marks.claim(9, LEASE);
    await mark('x', 'b');
    expect(await marks.claim(9, LEASE)).to.deep.equal([]);
    const finished = Date.now();
    await marks.finish(claims, 2_000);
    expect(await marks.count()).to.equal(1);
    expect(await marks.claim(9, LEASE)).to.deep.equal([]);
    let again: Claim[] = [];
    while (again.length === 0) again = await marks.claim(9, LEASE);
    expect(Date.now() - finished).to.be.at.least(1_900);
    expect(namesOf(again)).to.deep.equal(['x/b']);
    await marks.finish(again, 0);
    expect(await marks.count()).to.equal(0);
  });

  it('lets what was worked on rest also when it is marked later, and goes on with the other marks of the shop', async () => {
    await mark('x', 'a', 'b');
    const first = await marks.claim(1, LEASE);
    expect(namesOf(first)).to.deep.equal(['x/a']);
    await mark('x', 'a');
    await marks.finish(first, 60_000);
    const second = await marks.claim(9, LEASE);
    expect(namesOf(second)).to.deep.equal(['x/b']);
    await marks.finish(second, 60_000);
    expect(await marks.count()).to.equal(1);
    await mark('x', 'b', 'c');
    expect(namesOf(await marks.claim(9, LEASE))).to.deep.equal(['x/c']);
    expect(await marks.count()).to.equal(3);
  });

  it('never holds more than what was worked on lately', async () => {
    const resting = `test:marks:${process.pid}:${names}:resting`;
    for (let round = 0; round < 3; round++) {
      await mark('x', ...Array.from({ length: 200 }, (_, i) => `${round}-${i}`));
      await marks.finish(await marks.claim(200, LEASE), 5);
      expect(await redis.zcard(resting)).to.be.within(1, 600);
    }
    await sleep(10);
    expect(await marks.claim(9, LEASE)).to.deep.equal([]);
    expect(await redis.exists(resting)).to.equal(0);
  });

  it('gives back the claims of a worker that is gone, and keeps those that are renewed', async () => {
    await mark('x', 'gone', 'held');
    const claims = await marks.claim(9, 50);
    await marks.renew(
      claims.filter(({ id }) => id === 'held'),
      LEASE,
    );
    let back: Claim[] = [];
    while (back.length === 0) {
      await sleep(5);
      back = await marks.claim(9, LEASE);
    }
    expect(namesOf(back)).to.deep.equal(['x/gone']);
    // The first worker was only slow: what it computed began after the mark, so its end counts.
    await marks.finish(claims, 0);
    expect(await marks.count()).to.equal(0);
    await marks.finish(back, 0);
    expect(await marks.claim(9, LEASE)).to.deep.equal([]);
  });

  it('keeps a mark that was set after a claim ran out, whoever ends first', async () => {
    await mark('x', 'a');
    const slow = await marks.claim(9, 1);
    await sleep(5);
    await mark('x', 'a');
    const second = await marks.claim(9, LEASE);
    expect(namesOf(second)).to.deep.equal(['x/a']);
    await marks.finish(slow, 0);
    expect(await marks.count()).to.equal(1);
    await marks.finish(second, 0);
    expect(await marks.count()).to.equal(0);
  });

  it('gives released claims back at once', async () => {
    await mark('x', 'a');
    await marks.release(await marks.claim(9, LEASE));
    expect(namesOf(await marks.claim(9, LEASE))).to.deep.equal(['x/a']);
  });

  it('gives out all marks when the clock of Redis is put back by an hour', async () => {
    await mark('x', 'rests');
    await marks.finish(await marks.claim(1, LEASE), 5_000);
    await mark('x', 'rests', 'gone', 'fails');
    for (const claim of await marks.claim(9, LEASE)) if (claim.id === 'fails') await marks.quarantine(claim, 'reason');
    await mark('y', 'waits');
    for (const part of ['shops', 'leases', 'apart', 'resting']) {
      const key = `test:marks:${process.pid}:${names}:${part}`;
      const members = await redis.zrange(key, '0', '-1');
      expect(members, part).to.have.length(1);
      for (const member of members) await redis.zincrby(key, 3_600e6, member);
    }
    expect(namesOf(await marks.claim(9, LEASE))).to.have.members(['x/rests', 'x/gone', 'x/fails', 'y/waits']);
  });

  it('sets a failing mark apart with its reason, tries it again later, and forgets its failures once it is done', async () => {
    await mark('x', 'bad', 'good');
    const claims = await marks.claim(9, LEASE);
    const bad = claims.find(({ id }) => id === 'bad');
    if (bad === undefined) throw new Error('not claimed');
    const before = Date.now();
    await marks.quarantine(bad, 'MEMORY_LIMIT_EXCEEDED');
    await marks.finish(
      claims.filter((claim) => claim !== bad),
      0,
    );
    await mark('x', 'bad');
    expect(await marks.claim(9, LEASE)).to.deep.equal([]);
    const [failure] = await marks.failures('x', 10);
    expect(failure).to.include({ id: 'bad', tries: 1, reason: 'MEMORY_LIMIT_EXCEEDED' });
    expect(failure?.since).to.be.closeTo(before, 60_000);
    let again: Claim[] = [];
    while (again.length === 0) {
      await sleep(20);
      again = await marks.claim(9, LEASE);
    }
    expect(namesOf(again)).to.deep.equal(['x/bad']);
    await marks.finish(again, 0);
    expect(await marks.failures('x', 10)).to.deep.equal([]);
    expect(await marks.count()).to.equal(0);
  });

  it('tells whose work is done since a stamp, also of a mark that is set again all the time', async () => {
    const takeStamps = createStamps(redis);
    const unfinished = (stamp: number) => marks.unfinished('x', ['a', 'b', 'never'], stamp);
    const before = await takeStamps();
    await mark('x', 'a', 'b');
    expect(await unfinished(before)).to.deep.equal(['a', 'b']);

    const claims = await marks.claim(9, LEASE);
    const between = await takeStamps();
    await mark('x', 'a');
    expect(await unfinished(before)).to.deep.equal(['a', 'b']);
    await marks.finish(claims, 0);
    expect(await unfinished(before)).to.deep.equal([]);
    expect(await unfinished(between), 'it was claimed before').to.deep.equal(['a']);

    await marks.finish(await marks.claim(9, LEASE), 0);
    expect(await unfinished(between)).to.deep.equal([]);
    expect(await redis.exists(`test:marks:${process.pid}:${names}:done`)).to.equal(0);
  });

  it('tells whose work failed or was given back as not done', async () => {
    const stamp = await createStamps(redis)();
    await mark('x', 'a', 'b');
    const [a, b] = await marks.claim(9, LEASE);
    if (a === undefined || b === undefined) throw new Error('nothing was claimed');
    await marks.quarantine(a, 'reason');
    await marks.release([b]);
    expect(await marks.unfinished('x', ['a', 'b'], stamp)).to.deep.equal(['a', 'b']);
  });
});
