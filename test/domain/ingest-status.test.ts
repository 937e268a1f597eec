import { expect } from 'chai';
import { toIngestStatus } from '../../src/domain/ingest-status.js';
import { NO_COVERAGE } from '../support/no-coverage.js';

describe('ingest status', () => {
  it('always names all five kinds', () => {
    const status = toIngestStatus(new Map(), { parts: [], rules: [], productsWithoutCost: 0 }, 3);
    expect(Object.keys(status.kinds)).to.deep.equal(['orders', 'spend', 'product_costs', 'expenses', 'events']);
    expect(status.kinds.events).to.deep.equal({
      last_received_at: null,
      windows: {
        '24h': { accepted: 0, rejected: 0, superseded: 0 },
        '7d': { accepted: 0, rejected: 0, superseded: 0 },
        '30d': { accepted: 0, rejected: 0, superseded: 0 },
      },
      top_error_codes: [],
    });
    expect(status.orders_unknown).to.equal(3);
    expect(status.coverage).to.deep.equal(NO_COVERAGE);
  });
});
