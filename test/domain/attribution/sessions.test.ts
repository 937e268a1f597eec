import { expect } from 'chai';
import { touchesOf } from '../../../src/domain/attribution/sessions.js';
import { sessionEvent } from '../../support/session-event.js';

const minute = 60_000;

/** Minutes, ways and types of events → `minute channel` of the touches. */
const shown = (...events: [number, number, string?][]): string[] =>
  touchesOf(events.map(([at, way, type]) => sessionEvent(at * minute, way, type))).map(
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

  // Ways 7 to 10: a bank, a sign-in page, a page of the shop on another host, and a link from there.
  it('begins nothing on a page with a purchase, unless the visitor shopped on it', () => {
    expect(shown([0, 0], [20, 7], [20.1, 7, 'purchase'])).to.deep.equal(['0 google_ads']);
    expect(shown([0, 0], [300, 7], [300.1, 7, 'purchase'])).to.deep.equal(['0 google_ads', '300 internal']);
    expect(shown([0, 7], [1, 7, 'add_to_cart'], [2, 7, 'purchase'])).to.deep.equal(['0 referral']);
    expect(shown([0, 0], [20, 2], [20.1, 2, 'purchase'])).to.deep.equal(['0 google_ads', '20 email']);
  });

  it('begins nothing within 30 minutes of a checkout that began before', () => {
    expect(shown([0, 0], [5, 6, 'begin_checkout'], [35, 3])).to.deep.equal(['0 google_ads']);
    expect(shown([0, 0], [5, 6, 'begin_checkout'], [30, 6], [36, 3])).to.deep.equal([
      '0 google_ads',
      '36 organic_search',
    ]);
    expect(shown([0, 3], [0, 3, 'begin_checkout'])).to.deep.equal(['0 organic_search']);
    expect(shown([0, 0], [5, 6, 'begin_checkout'], [6, 2])).to.deep.equal(['0 google_ads', '6 email']);
  });

  it('begins nothing with a referrer on which the visitor saw pages of the shop', () => {
    expect(shown([0, 0], [5, 9], [10, 10])).to.deep.equal(['0 google_ads']);
    expect(shown([0, 0], [10, 10])).to.deep.equal(['0 google_ads', '10 referral']);
  });

  it('begins nothing with a sign-in in the middle of a visit', () => {
    expect(shown([0, 0], [10, 8])).to.deep.equal(['0 google_ads']);
    expect(shown([0, 0], [40, 8])).to.deep.equal(['0 google_ads', '40 organic_social']);
  });
});
