import { ClickHouseError } from '@clickhouse/client';
import { expect } from 'chai';
import type { Claim, RebuildQueue } from '../../src/redis/rebuild-queue.js';
import { toUnavailable } from '../../src/warehouse/failures.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import { singleShard } from '../../src/warehouse/cluster/sharded-warehouse.js';
import { createClaimedLoop } from '../../workers/claimed.js';

/** As the warehouse throws it. */
const refusal = toUnavailable(new ClickHouseError({ message: 'refused', code: '241', type: 'MEMORY_LIMIT_EXCEEDED' }), {
  isInsert: true,
});
const claim = (id: string): Claim => ({ shopId: 'x', id, token: '1:1' });

/** A queue in memory that note what becomes of each. */
function fakeQueue(ids: readonly string[]) {
  const ends: Record<string, string> = {};
  const note = (end: string) => (claims: readonly Claim[]) => {
    for (const { id } of claims) ends[id] = end;
    return Promise.resolve();
  };
  const queue: RebuildQueue = {
    add: () => Promise.resolve(),
    onAdded: () => undefined,
    claim: () => Promise.resolve(ids.map(claim)),
    renew: () => Promise.resolve(),
    finish: note('done'),
    release: note('released'),
    quarantine: (one, reason) => note(`apart: ${reason}`)([one]),
    failures: () => Promise.resolve([]),
    unfinished: () => Promise.resolve([]),
    open: () => Promise.resolve([]),
    count: () => Promise.resolve(0),
    all: () => {
      throw new Error('no list is asked for');
    },
  };
  return { queue, ends };
}

/** The work of these tests asks for nothing. */
const NO_WAREHOUSE = createWarehouse({ url: 'http://127.0.0.1:1', database: 'none' });

function loopOn(ids: readonly string[], work: (ids: string[]) => Promise<unknown>) {
  const { queue, ends } = fakeQueue(ids);
  const told: string[] = [];
  const turn = createClaimedLoop({
    queue,
    shards: singleShard(NO_WAREHOUSE),
    limit: () => 100,
    work: async (claims) => (await work(claims.map(({ id }) => id))) !== false,
    took: (count) => told.push(`${count} done`),
    gaveUp: () => told.push('gave up'),
    onAway: () => undefined,
    onFailed: () => undefined,
  });
  return { turn, ends, told };
}

describe('a loop over claimed entries', () => {
  it('does the work of all claims together and ends them', async () => {
    const calls: string[][] = [];
    const { turn, ends, told } = loopOn(['a', 'b'], (ids) => Promise.resolve(void calls.push(ids)));
    expect(await turn()).to.equal(true);
    expect(told).to.deep.equal(['2 done']);
    expect(calls).to.deep.equal([['a', 'b']]);
    expect(ends).to.deep.equal({ a: 'done', b: 'done' });
  });

  it('does not report how long it took where that says nothing of what a claim costs', async () => {
    const { turn, ends, told } = loopOn(['a'], () => Promise.resolve(false));
    await turn();
    expect(told).to.deep.equal([]);
    expect(ends).to.deep.equal({ a: 'done' });
  });

  it('sets apart the one entry that the warehouse refuses, and does the others', async () => {
    const ids = ['a', 'b', 'bad', 'c', 'd'];
    const { turn, ends } = loopOn(ids, (part) => (part.includes('bad') ? Promise.reject(refusal) : Promise.resolve()));
    await turn();
    expect(ends).to.deep.equal({ a: 'done', b: 'done', bad: 'apart: MEMORY_LIMIT_EXCEEDED', c: 'done', d: 'done' });
  });

  it('releases all claims when the warehouse is away', async () => {
    const { turn, ends, told } = loopOn(['a', 'b'], () => Promise.reject(new Error('ECONNREFUSED')));
    await turn().then(
      () => expect.fail('the turn must fail'),
      () => undefined,
    );
    expect(ends).to.deep.equal({ a: 'released', b: 'released' });
    expect(told).to.deep.equal(['gave up']);
  });

  it('blames no entry when everything is refused', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => `${i}`);
    let tries = 0;
    const { turn, ends } = loopOn(ids, () => {
      tries++;
      return Promise.reject(refusal);
    });
    expect(await turn().catch((error: unknown) => error)).to.equal(refusal);
    const ended = Object.values(ends);
    expect(ended.filter((end) => end.startsWith('apart'))).to.have.length(8);
    expect(ended.filter((end) => end === 'released')).to.have.length(92);
    expect(tries).to.be.lessThan(60);
  });
});
