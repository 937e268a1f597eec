import { expect } from 'chai';
import { makeFullShop } from '../../../src/cli/demo/full-shop.js';

describe('makeFullShop', () => {
  it('books nothing on whether events arrive on time, but for the orders of this minute', () => {
    const HOUR = 3_600_000;
    let seen = 0;
    for (let now = Date.parse('2026-11-26T00:15:00Z'); now < Date.parse('2026-12-20T00:00:00Z'); now += 24 * HOUR) {
      const { orders, events } = makeFullShop(now);
      for (const { order_id, placed_at, checkout_token } of orders) {
        if (order_id.startsWith('live-') || Date.parse(placed_at) < now - HOUR) continue;
        seen++;
        const landing = events.find(({ event_id }) => event_id === `${checkout_token}-landing`);
        // What would prove or claim a channel.
        expect(landing?.referrer, order_id).to.equal(undefined);
        expect(landing?.url ?? '', order_id).to.not.match(/utm_source=(?:facebook|newsletter)|gclid=Cj0/);
      }
    }
    expect(seen).to.equal(24);
  });
});
