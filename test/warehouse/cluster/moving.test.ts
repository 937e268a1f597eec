import { expect } from 'chai';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { insertsAreOver, readOnly } from '../../../src/warehouse/cluster/closing.js';
import { furthest, parseMove } from '../../../src/warehouse/cluster/move-state.js';
import { ClusterError } from '../../../src/warehouse/migrations/cluster.js';

describe('the move of rows to other shards', () => {
  const shards = { database: 'profit', cluster: 'c', shards: 2 };
  const engineOf = (table: string, options = shards) => readOnly(table, options).split('ENGINE = ')[1];

  it('is read from what a server has noted, where anything is', () => {
    expect(parseMove('switch shards_3')).to.deep.equal({ step: 'switch', cluster: 'shards_3' });
    for (const text of ['', 'later shards_3']) expect(parseMove(text), text).to.equal(null);
  });

  it('has come as far as any server knows', () => {
    const moves = ['', 'copy c', 'open c', 'switch c'].map(parseMove);
    expect(furthest(moves)).to.deep.equal({ step: 'open', cluster: 'c' });
    expect(furthest(moves.slice(0, 2))).to.deep.equal({ step: 'copy', cluster: 'c' });
    expect([furthest([null]), furthest([])]).to.deep.equal([null, null]);
  });

  it('closes tables for writing by engines that take no rows', () => {
    expect(engineOf('orders')).to.equal("Distributed('c', 'profit_local', 'orders')");
    expect(engineOf('product_costs')).to.equal("Merge('profit_local', '^product_costs$')");
    // One shard needs no expression that tells it, so the same engine would take them.
    expect(engineOf('orders', { ...shards, shards: 1 })).to.equal("Merge('profit_local', '^orders$')");
  });

  /** A server with inserts that run for so many looks. */
  const busyFor = (looks: number): Pick<Warehouse, 'query'> => ({
    query: <Row>() => Promise.resolve([{ running: looks-- > 0 ? '1' : '0' }] as Row[]),
  });

  it('begins when no server has an insert from before any more, twice in a row', async () => {
    await insertsAreOver([busyFor(0), busyFor(2)]);
    const endless = await insertsAreOver([busyFor(Infinity)], 1).catch((error: unknown) => error);
    expect(endless).to.be.instanceOf(ClusterError);
  });
});
