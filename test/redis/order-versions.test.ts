import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createOrderVersions, type OrderVersions, type VersionClaim } from '../../src/redis/order-versions.js';
import { createSourceState, type SourceState } from '../../src/redis/sources.js';
import { sharedEngines } from '../support/shared-engines.js';

describe('the memory of the stale guard', () => {
  let redis: Redis;
  let versions: OrderVersions;
  let sources: SourceState;
  let shopId: string;
  let revision: string;
  let shops = 0;
  let batches = 0;

  before(async () => {
    redis = new Redis((await sharedEngines()).redis.url);
    versions = createOrderVersions(redis);
    sources = createSourceState(redis);
  });
  after(() => redis.disconnect());
  beforeEach(async () => {
    await sweep(1_000_000); // what other tests abandoned
    shopId = `versions-${++shops}`;
    const source = await sources.put(shopId, { platform: 'p', currency: 'EUR', timezone: 'UTC', shopDomain: null }, 1);
    revision = source?.revision ?? '';
  });

  const claim = (orderId: string, updatedAt: number, stored?: number | null): VersionClaim => ({
    orderId,
    updatedAt,
    ...(stored !== undefined && { stored }),
  });
  const reserve = (claims: VersionClaim[], options: { batchId?: string; job?: string; dryRun?: boolean } = {}) =>
    versions.reserve({
      shopId,
      batchId: options.batchId ?? `batch-${++batches}`,
      jobKey: options.job ?? 'no-such-job',
      sourceRevision: revision,
      nowMs: 1_000,
      dryRun: options.dryRun ?? false,
      claims,
    });
  const outcomes = async (claims: VersionClaim[]): Promise<boolean[] | string> => {
    const result = await reserve(claims, { dryRun: true });
    return result.kind === 'reserved' ? result.accepted : result.kind;
  };
  const sweep = (budget: number): Promise<number> =>
    versions.sweep({ beforeMs: 2_000, nowMs: 2_000, budget, limit: 100 });

  it('takes an unknown id of a new shop as new, without asking for the warehouse', async () => {
    expect(await reserve([claim('a', 5), claim('b', 5)])).to.include({ kind: 'reserved', lockedSource: true });
    expect(await outcomes([claim('a', 4), claim('a', 5), claim('a', 6), claim('a', 5)])).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
  });

  it('gives stamps that grow with every item and every push', async () => {
    const first = await reserve([claim('a', 1), claim('b', 1), claim('c', 1)]);
    const second = await reserve([claim('d', 1)]);
    if (first.kind !== 'reserved' || second.kind !== 'reserved') throw new Error('not reserved');
    expect(second.stamp).to.be.at.least(first.stamp + 6);
  });

  it('asks for the warehouse about unknown ids that are not newer than all that was forgotten', async () => {
    await reserve([claim('a', 5)], { batchId: 'stored' });
    await versions.settle(['stored'], 1_000);
    expect(await sweep(1_000_000)).to.equal(0);
    expect(await outcomes([claim('a', 4)])).to.deep.equal([false]);

    expect(await sweep(0)).to.be.at.least(1);
    expect(await redis.exists(`versions:{${shopId}}`)).to.equal(0);
    expect(await outcomes([claim('a', 4), claim('b', 1)])).to.equal('unknown');
    expect(await outcomes([claim('a', 4, 5), claim('b', 1, null)])).to.deep.equal([false, true]);
    expect(await outcomes([claim('a', 5), claim('b', 6), claim('b', 5)])).to.deep.equal([true, true, false]);
    expect(await reserve([claim('c', 4), claim('d', 7)])).to.deep.equal({ kind: 'unknown', indexes: [0] });
  });

  it('takes new orders of an old shop as those of a new one, after a million were forgotten', async () => {
    const [pushes, orders] = [1_000, 1_000];
    const batchOf = (push: number): string => `old-${shopId}-${push}`;
    for (let push = 0; push < pushes; push++) {
      const claims = Array.from({ length: orders }, (_, i) => claim(`${push}-${i}`, 1_000 * push + i));
      expect((await reserve(claims, { batchId: batchOf(push) })).kind).to.equal('reserved');
    }
    const stored = Array.from({ length: pushes }, (_, push) => batchOf(push));
    await versions.settle(stored, 1_000);
    for (let ended = 1; ended > 0;) ended = await sweep(0);
    expect(await redis.hlen(`versions:{${shopId}}`)).to.equal(0);
    // New orders and new versions of old ones are decided here; only what is older than the newest forgotten version is looked up.
    const fresh = Array.from({ length: 250 }, (_, i) => claim(i < 125 ? `new-${i}` : `0-${i}`, 1_000 * pushes + i));
    expect(await outcomes(fresh)).to.deep.equal(fresh.map(() => true));
    expect(await outcomes([claim('0-0', 1_000 * pushes - 2)])).to.equal('unknown');
  });

  it('asks about every unknown id of a shop that was read back from the warehouse', async () => {
    await redis.hdel(`source:{${shopId}}`, 'known_from');
    await reserve([claim('a', 9, null)], { batchId: 'forgotten' });
    await versions.release('forgotten', 1_000);
    expect(await outcomes([claim('a', 10), claim('b', 8_000_000_000_000_000)])).to.equal('unknown');
    expect(await versions.find(shopId, 'a')).to.equal(undefined);
  });

  it('forgets with a stored push the older ones of its orders, of which one may still wait', async () => {
    await redis.set('old-job', '1');
    await reserve([claim('a', 5)], { batchId: 'old', job: 'old-job' });
    await reserve([claim('a', 9)], { batchId: 'new' });
    await versions.settle(['new'], 1_000);
    await sweep(0);
    expect(await outcomes([claim('a', 7)])).to.equal('unknown');
    expect(await outcomes([claim('a', 7, 9)])).to.deep.equal([false]);
    expect(await outcomes([claim('a', 9)])).to.deep.equal([true]);
    await redis.del('old-job');
  });

  it('gives up a push that never became a job, and keeps one whose job exists', async () => {
    await redis.set('a-job', '1');
    await reserve([claim('queued', 9)], { job: 'a-job' });
    await reserve([claim('lost', 9)]);
    await sweep(1_000_000);
    expect(await outcomes([claim('queued', 8, null), claim('lost', 8, null)])).to.deep.equal([false, true]);
    await redis.del('a-job');
  });

  it('knows the push before one that is given up, also while its rows are in no table yet', async () => {
    await redis.set('first-job', '1');
    await reserve([claim('a', 5)], { batchId: 'first', job: 'first-job' });
    const later = ['second', 'third', 'fourth'];
    for (const [i, batchId] of later.entries()) await reserve([claim('a', 5 + i)], { batchId });
    for (const batchId of ['third', 'second', 'fourth']) await versions.release(batchId, 1_000);
    expect(await outcomes([claim('a', 4, null)])).to.deep.equal([false]);
    expect(await outcomes([claim('a', 5, null)])).to.deep.equal([true]);
    await redis.del('first-job');
    await sweep(1_000_000);
    expect(await redis.exists(`versions:{${shopId}}`)).to.equal(0);
  });

  it('holds few pushes of one order, the newest first', async () => {
    for (let i = 1; i <= 9; i++) await reserve([claim('a', i), claim('a', i)]);
    const entries = (await redis.hget(`versions:{${shopId}}`, 'a'))?.split(',') ?? [];
    expect(entries.map((entry) => entry.split(':')[0])).to.deep.equal(['9', '8', '7', '6']);
    expect(await outcomes([claim('a', 8), claim('a', 9)])).to.deep.equal([false, true]);
    await sweep(1_000_000);
    expect(await redis.exists(`versions:{${shopId}}`)).to.equal(0);
  });

  it('forgets a version only with the push that wrote it', async () => {
    await reserve([claim('a', 5)], { batchId: 'early' });
    await versions.settle(['early'], 1_000);
    await redis.set('late-job', '1');
    await reserve([claim('a', 5)], { batchId: 'late', job: 'late-job' });
    await sweep(0);
    expect(await outcomes([claim('a', 4, null)])).to.deep.equal([false]);
    await redis.del('late-job');
  });

  it('keeps as many ids as its budget has, however many were forgotten before', async () => {
    for (let ended = 1; ended > 0;) ended = await sweep(0);
    await reserve([claim('b', 1), claim('c', 1)], { batchId: 'given-up' });
    await versions.release('given-up', 1_000);
    await reserve([claim('a', 9)], { batchId: 'kept' });
    await versions.settle(['kept'], 1_000);
    expect(await sweep(1)).to.equal(0);
    expect(await outcomes([claim('a', 8)])).to.deep.equal([false]);
  });

  it('changes nothing in a dry run and refuses a push checked against an older source', async () => {
    expect(await reserve([claim('a', 5)], { dryRun: true })).to.include({ kind: 'reserved', stamp: 0 });
    expect((await sources.get(shopId))?.lockedAt).to.equal(null);
    await sources.put(shopId, { platform: 'other', currency: 'EUR', timezone: 'UTC', shopDomain: null }, 2);
    expect(await reserve([claim('a', 5)])).to.deep.equal({ kind: 'source_changed' });
  });
});
