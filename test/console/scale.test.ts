import { expect } from 'chai';
import fc from 'fast-check';
import { scaleOf } from '../../src/console/web/overview/scale.js';

describe('the axis of the bars', () => {
  it('holds every value and zero, in few steps of 1, 2, 2.5 or 5', () => {
    const value = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (values) => {
        const { ticks, top } = scaleOf(values);
        expect(ticks).to.include(0);
        expect(ticks.length).to.be.within(2, 8);
        for (const one of [0, ...values]) expect(top(one)).to.be.within(-1e-9, 1.02);
      }),
    );
    expect(scaleOf([]).ticks).to.deep.equal([0, 0.25]);
    expect(scaleOf([37_816, -1_000]).ticks).to.deep.equal([-10_000, 0, 10_000, 20_000, 30_000, 40_000]);
  });

  it('puts more above less, and a loss below zero', () => {
    const { top } = scaleOf([100, -50]);
    expect(top(100)).to.be.lessThan(top(50));
    expect(top(-50)).to.be.greaterThan(top(0));
  });

  it('ends at zero above a loss that is small beside the highest value', () => {
    const { ticks, top } = scaleOf([37_816, -30]);
    expect(ticks).to.deep.equal([0, 10_000, 20_000, 30_000, 40_000]);
    expect(top(-30)).to.be.within(1, 1.001);
  });
});
