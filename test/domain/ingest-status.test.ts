import { expect } from 'chai';
import { percentage, toIngestStatus } from '../../src/domain/ingest-status.js';

describe('ingest status', () => {
  it('gives percentages of at most two decimals, rounded half-up in integers', () => {
    expect(percentage(0, 0)).to.equal(null);
    expect(percentage(0, 7)).to.equal(0);
    expect(percentage(7, 7)).to.equal(100);
    expect(percentage(1, 3)).to.equal(33.33);
    expect(percentage(2, 3)).to.equal(66.67);
    expect(percentage(1, 8)).to.equal(12.5);
    expect(percentage(1, 16)).to.equal(6.25);
    expect(percentage(1, 32)).to.equal(3.13); // 3.125
    expect(percentage(9_007_199_254_740_990, 9_007_199_254_740_991)).to.equal(100);
    for (let part = 0; part <= 700; part++) {
      expect(String(percentage(part, 700))).to.match(/^\d{1,3}(\.\d{1,2})?$/);
    }
  });

  it('always names all five kinds', () => {
    const status = toIngestStatus(new Map(), { orders: 0, costed: 0, feeActual: 0, taxPresent: 0 });
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
    expect(status.coverage).to.deep.equal({ cogs_complete: null, gateway_fee_actual: null, tax_present: null });
  });
});
