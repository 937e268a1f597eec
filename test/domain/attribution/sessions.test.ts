import { expect } from 'chai';
import { touchesOf, type SessionEvent } from '../../../src/domain/attribution/sessions.js';
import { WAYS } from '../../support/attribution-history.js';

const minute = 60_000;

const event = ({ at, way }: { at: number; way: number }): SessionEvent => {
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
});
