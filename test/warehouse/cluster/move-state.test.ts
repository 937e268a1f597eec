import { expect } from 'chai';
import { furthest, MovingError, parseMove } from '../../../src/warehouse/cluster/move-state.js';

describe('a move that is not over', () => {
  it('says how a repair is ended, and what to do for a server that is gone for good', () => {
    const move = furthest([null, parseMove('repair ch-2:8123')]);
    if (move === null) throw new Error('the repair was not found');
    expect(new MovingError(move, 'ch-1:8123').message)
      .to.contain('profit cluster repair ch-2:8123')
      .and.to.contain('cannot be given up')
      .and.to.contain('an empty server at its address');
  });

  it('says how a rebalance is ended', () => {
    const move = parseMove('copy shards_3');
    if (move === null) throw new Error('the move was not found');
    expect(new MovingError(move, 'ch-1:8123').message)
      .to.contain('"shards_3"')
      .and.to.contain('profit cluster rebalance');
  });
});
