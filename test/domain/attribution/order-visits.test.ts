import { expect } from 'chai';
import fc from 'fast-check';
import { attribute } from '../../../src/domain/attribution/attribution.js';
import { visitsOf, type OrderVisitor, type OrderWithVisitors } from '../../../src/domain/attribution/order-visits.js';
import type { VisitorEvent } from '../../../src/domain/attribution/sessions.js';
import { ATTRIBUTION_MODELS } from '../../../src/schemas/attribution.js';
import { history, type History, type HistoryEvent } from '../../support/attribution-history.js';
import { naiveShares, type NaiveShare } from '../../support/naive-attribution.js';
import { sessionEvent } from '../../support/session-event.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** When the order is placed. */
const ORDER = 1000 * HOUR;

const anywhere = {
  eventId: '',
  type: 'page_view',
  page: '0',
  host: '',
  bareReferrer: '',
  isSignIn: false,
  campaign: '',
};
/** An event of an hour before the order (or another time), which arrives at once (or as many hours late). */
const seen = (channel: string, { before = 1, late = 0 } = {}): VisitorEvent => {
  const at = ORDER - before * HOUR;
  return { ...anywhere, at, receivedAt: at + late * HOUR, channel, evidence: 'proved', arrival: channel };
};
/** A visitor whose first event that names the order arrived so many hours after it. */
const visitor = (
  id: string,
  events: readonly VisitorEvent[],
  { named = 0.01, checkout = '', bought = 0.01 } = {},
): OrderVisitor => ({
  id,
  checkouts: checkout === '' ? [] : [checkout],
  namedAt: ORDER + named * HOUR,
  purchasedAt: ORDER + bought * HOUR,
  events,
});
const customer = visitor('customer', [seen('email'), seen('internal', { before: -0.01 })]);

/** `channel evidence` of the touch nearest to the order. */
function credit(visitors: OrderVisitor[], checkout = ''): string {
  const order: OrderWithVisitors = { placedAt: ORDER, checkout, visitors };
  const shown = [visitors, visitors.toReversed()].map((list) => {
    const { touches, orderAt } = visitsOf({ ...order, visitors: list });
    const [share] = attribute(touches, orderAt, 'last_touch');
    return `${share?.channel} ${share?.evidence === 'proved' ? 'proved' : 'not proved'}`;
  });
  expect(shown[0]).to.equal(shown[1]);
  return String(shown[0]);
}

describe('the visits of an order', () => {
  it('are proved by one visitor whose events arrived on time', () => {
    expect(credit([customer])).to.equal('email proved');
    expect(credit([])).to.equal('unattributed not proved');
  });

  it('are not those of made-up events that arrived hours after their own time', () => {
    const late = visitor('made up', [seen('google_ads', { before: 0.5, late: 5 })], { named: 4.5 });
    expect(credit([late])).to.equal('google_ads not proved');
    expect(credit([late, visitor('late', customer.events, { named: 0.01 })])).to.equal('email not proved');
    const later = visitor('made up', [seen('google_ads', { before: 0.5, late: 50 })], { named: 49 });
    expect(credit([later, customer])).to.equal('email proved');
  });

  it('are ambiguous where a second visitor named the order at the time, and those of the nearer one', () => {
    const other = visitor('other', [seen('google_ads', { before: 0.1 })], { named: 0.5 });
    expect(credit([other, customer])).to.equal('email not proved');
    expect(credit([other])).to.equal('google_ads proved');
    const sooner = visitor('made up', [seen('google_ads', { before: 3 })], { named: -3 });
    expect(credit([sooner, customer])).to.equal('email not proved');
    const wayTooSoon = visitor('made up', [seen('google_ads', { before: 30 })], { named: -30 });
    expect(credit([wayTooSoon, customer])).to.equal('email proved');
    expect(credit([wayTooSoon])).to.equal('google_ads not proved');
  });

  it('stay proved when the confirmation is opened on another device hours later', () => {
    const phone = visitor('phone', [seen('direct', { before: -5 })], { named: 5, bought: 5 });
    expect(credit([phone, customer])).to.equal('email proved');
    const soon = visitor('phone', [seen('direct', { before: -0.5 })], { named: 0.5, bought: 0.5 });
    expect(credit([soon, customer])).to.equal('email not proved');
  });

  it('are those of the visitor with the checkout token of the order', () => {
    const known = visitor('known', [seen('email')], { named: 0.5, checkout: 'token' });
    const near = visitor('made up', [seen('google_ads')], { named: 0, checkout: 'guessed' });
    expect(credit([near, known], 'token')).to.equal('email proved');
    expect(credit([near, known])).to.equal('google_ads not proved');
    expect(credit([near], 'token')).to.equal('google_ads not proved');
    const late = visitor('known', [seen('email', { late: 2 })], { named: 0.5, checkout: 'token' });
    expect(credit([near, late], 'token')).to.equal('email not proved');
  });

  it('are those of all visitors that one checkout token joins', () => {
    const shop = visitor('shop', [seen('google_ads', { before: 2 })], { checkout: 'token', named: -1 });
    const checkout = visitor('checkout', [seen('internal', { before: 0.5 })], { checkout: 'token' });
    expect(credit([shop, checkout])).to.equal('google_ads proved');
    expect(credit([shop, checkout], 'token')).to.equal('google_ads proved');
  });

  it('are proved by a retry within a day of a visitor of whom another event arrived on time', () => {
    const landing = seen('google_ads', { before: 2, late: 20 });
    expect(credit([visitor('v', [landing])])).to.equal('google_ads not proved');
    expect(credit([visitor('v', [landing, seen('internal', { before: 1.9 })])])).to.equal('google_ads proved');
    expect(credit([visitor('v', [landing, seen('internal', { before: 1.9 })], { named: 20 })])).to.equal(
      'google_ads proved',
    );
    const old = seen('google_ads', { before: 2, late: 24.1 });
    expect(credit([visitor('v', [old, seen('internal', { before: 1.9 })])])).to.equal('google_ads not proved');
    const after = visitor('v', [seen('google_ads', { before: 2, late: 20 }), seen('internal', { before: -3 })]);
    expect(credit([after]), 'an event on time long after the order').to.equal('google_ads not proved');
  });

  it('are proved of an order that is paid within a day after it was placed', () => {
    const payer = visitor('v', [seen('email', { before: -19.9 })], { named: 20, bought: 20 });
    expect(credit([payer])).to.equal('email proved');
    expect(credit([visitor('v', [seen('email', { before: -24.9 })], { named: 25, bought: 25 })])).to.equal(
      'unattributed not proved',
    );
  });

  it('equal a naive reference over random histories, in whatever order the visitors come', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...ATTRIBUTION_MODELS), fc.boolean(), (past, model, isReversed) => {
        const reference = naiveShares(past, model);
        for (const { id, placed, checkout } of past.orders) {
          const visitors = visitorsOf(past, id, checkout);
          const { touches, orderAt } = visitsOf({
            placedAt: placed,
            checkout: checkout === undefined ? '' : `c${checkout}`,
            visitors: isReversed ? visitors.toReversed() : visitors,
          });
          const shares = attribute(touches, orderAt, model);
          const expected = reference.get(id) ?? new Map<string, NaiveShare>();
          const keys = shares.map(({ channel, evidence }) => `${channel} ${evidence}`);
          const wanted = [...expected].flatMap(([channel, by]) =>
            Object.keys(by).map((evidence) => `${channel} ${evidence}`),
          );
          expect(keys).to.deep.equal(wanted.sort());
          for (const { channel, evidence, numerator, denominator } of shares) {
            const part = expected.get(channel)?.[evidence];
            expect(Number(numerator) / Number(denominator)).to.be.closeTo(part ?? 0, 1e-9);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** What `readEvidence` finds of an order. */
function visitorsOf({ events }: History, id: number, checkout: number | undefined): OrderVisitor[] {
  const tokens = new Set(events.filter((e) => e.order === id).flatMap((e) => e.checkout ?? []));
  if (checkout !== undefined) tokens.add(checkout);
  const ties = events.filter((e) => e.order === id || (e.checkout !== undefined && tokens.has(e.checkout)));
  return [...new Set(ties.map((e) => e.visitor))].map((visitorId) => {
    const own = ties.filter((e) => e.visitor === visitorId);
    const purchases = own.filter((e) => e.type === 'purchase').map((e) => e.at);
    return {
      id: `v${visitorId}`,
      checkouts: own.flatMap((e) => (e.checkout === undefined ? [] : [`c${e.checkout}`])),
      namedAt: Math.min(...own.map((e) => e.receivedAt)),
      purchasedAt: purchases.length === 0 ? null : Math.min(...purchases),
      events: events.filter((e) => e.visitor === visitorId).map(toEvent),
    };
  });
}

function toEvent({ at, receivedAt, type, way }: HistoryEvent): VisitorEvent {
  return { ...sessionEvent(at, way, type), receivedAt };
}
