import { expect } from 'chai';
import fc from 'fast-check';
import { attribute, orderInstant } from '../../../src/domain/attribution/attribution.js';
import { ATTRIBUTION_MODELS } from '../../../src/schemas/attribution.js';
import { touchesOf, type VisitorEvent } from '../../../src/domain/attribution/sessions.js';
import { history, naiveShares, WAYS, type HistoryEvent, type NaiveShare } from '../../support/attribution-history.js';

const minute = 60_000;

const event = ({ at, way }: { at: number; way: number }): VisitorEvent => {
  const channel = WAYS[way]?.channel ?? 'internal';
  const evidence = WAYS[way]?.evidence ?? 'ambiguous';
  return { at, channel, evidence, arrival: channel === 'direct' || channel === 'internal' ? '0' : `way-${way}` };
};

/** Minutes and ways of events → `minute channel` of the touches. */
const shown = (...events: [number, number][]): string[] =>
  touchesOf(events.map(([at, way]) => event({ at: at * minute, way }))).map(
    ({ at, channel }) => `${at / minute} ${channel}`,
  );

describe('sessions', () => {
  it('takes the further pages of a session for no arrival', () => {
    expect(shown([0, 0], [1, 0], [5, 6], [20, 6])).to.deep.equal(['0 google_ads']);
  });

  it('begins a session after more than 30 minutes of nothing, not after 30', () => {
    expect(shown([0, 0], [30, 6], [60, 6])).to.deep.equal(['0 google_ads']);
    expect(shown([0, 0], [31, 6])).to.deep.equal(['0 google_ads', '31 internal']);
    expect(shown([0, 0], [31, 0])).to.deep.equal(['0 google_ads', '31 google_ads']);
  });

  it('begins a session with another ad, campaign or site, and not with a direct visit', () => {
    expect(shown([0, 0], [1, 1], [2, 2], [3, 3])).to.deep.equal([
      '0 google_ads',
      '1 google_ads',
      '2 email',
      '3 organic_search',
    ]);
    expect(shown([0, 0], [1, 5], [2, 0])).to.deep.equal(['0 google_ads']);
    expect(shown([0, 5], [1, 0])).to.deep.equal(['0 direct', '1 google_ads']);
  });

  it('takes events in any order', () => {
    expect(shown([20, 6], [0, 0], [10, 6])).to.deep.equal(['0 google_ads']);
    expect(shown()).to.deep.equal([]);
  });

  it('gives orders to channels as a naive reference does', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...ATTRIBUTION_MODELS), (past, model) => {
        const reference = naiveShares(past, model);
        for (const { id, placed } of past.orders) {
          const tokens = new Set(past.events.filter((e) => e.order === id).flatMap((e) => e.checkout ?? []));
          const ties = (e: HistoryEvent): boolean =>
            e.order === id || (e.checkout !== undefined && tokens.has(e.checkout));
          const links = past.events.filter(ties);
          const purchases = links.filter((e) => e.type === 'purchase').map((e) => e.at);
          const touches = [...new Set(links.map((e) => e.visitor))].flatMap((visitor) =>
            touchesOf(past.events.filter((e) => e.visitor === visitor).map(event)),
          );
          const shares = attribute(touches, orderInstant(placed, purchases), model);
          const expected = reference.get(id) ?? new Map<string, NaiveShare>();
          expect(shares.map((share) => share.channel)).to.deep.equal([...expected.keys()].sort());
          for (const { channel, numerator, denominator, proved } of shares) {
            const part = expected.get(channel);
            expect(Number(numerator) / Number(denominator)).to.be.closeTo(part?.share ?? 0, 1e-9);
            expect(Number(proved) / Number(denominator)).to.be.closeTo(part?.proved ?? 0, 1e-9);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
