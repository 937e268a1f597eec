import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ChannelRow, Loss } from '../../src/schemas/attribution.js';
import { attributedShop, day, iso, MINUTE, range } from '../support/attributed-shop.js';
import { runs } from '../support/runs.js';
import { useService } from '../support/service.js';

const DAY = 1440 * MINUTE;
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const AD = { url: 'https://shop.example.com/?gclid=x' };
const LETTER = { url: 'https://shop.example.com/?utm_source=news&utm_medium=email' };
const HOME = { url: 'https://shop.example.com/' };
const FROM_BANK = { url: 'https://shop.example.com/thanks', referrer: 'https://bank.example/' };

/** An event of the visitor `who` of an order, `before` so many minutes before now. */
interface Sent {
  who: string;
  before: number;
  fields: Record<string, unknown>;
  /** By how many minutes the visitor's clock is ahead, in `ts` and `sent_at` both. */
  ahead?: number;
  isBot?: boolean;
  hasSentAt?: boolean;
}

interface Fate {
  /** The channel that is credited, or why none is; `unnamed` follows from the day. */
  truth: string;
  events: Sent[];
  /** Days ago at which the order is placed; any when absent. */
  daysAgo?: number;
  /** Whether the order itself names its checkout. */
  hasToken?: boolean;
}

const naming = (fields: Record<string, unknown>, more: Partial<Sent> = {}): Sent => ({
  who: 'a',
  before: 3,
  fields: { type: 'purchase', order_id: '*', ...fields },
  ...more,
});
const seen = (fields: Record<string, unknown>, before: number, more: Partial<Sent> = {}): Sent => ({
  who: 'a',
  before,
  fields: { type: 'page_view', ...fields },
  ...more,
});

/** What may happen on the way from a visit to its order. */
const FATES: Record<string, Fate> = {
  'an ad': { truth: 'google_ads', events: [seen(AD, 9), naming(HOME)], daysAgo: 0 },
  'a letter after an ad': { truth: 'email', events: [seen(AD, 400), seen(LETTER, 9), naming(HOME)], daysAgo: 0 },
  'a visit without a sign': { truth: 'direct', events: [seen(HOME, 9), naming(HOME)], daysAgo: 0 },
  'a return from the bank': { truth: 'google_ads', events: [seen(AD, 9), naming(FROM_BANK)], daysAgo: 0 },
  'a clock that is ahead': {
    truth: 'google_ads',
    events: [seen(AD, 9, { ahead: 5_000, hasSentAt: true }), naming(HOME, { ahead: 5_000, hasSentAt: true })],
    daysAgo: 0,
  },
  'a clock that is behind': {
    truth: 'email',
    events: [seen(LETTER, 9, { ahead: -70_000, hasSentAt: true }), naming(HOME, { ahead: -70_000, hasSentAt: true })],
    daysAgo: 0,
  },
  'an event that waited a day': {
    truth: 'email',
    events: [seen(LETTER, 1_500), naming(HOME, { before: 1_400, hasSentAt: true })],
    daysAgo: 1,
  },
  'two visitors, one with its token': {
    truth: 'google_ads',
    events: [
      seen(AD, 9),
      naming({ ...HOME, checkout_token: '*' }),
      seen(LETTER, 8, { who: 'b' }),
      naming(HOME, { who: 'b' }),
    ],
    hasToken: true,
    daysAgo: 0,
  },
  'no consent': { truth: 'unnamed', events: [naming({ ...AD, consent: 'denied' })] },
  'a visitor who blocks the script': { truth: 'unnamed', events: [] },
  'a page that was left before its end': { truth: 'unnamed', events: [seen(AD, 9)] },
  'a bot': { truth: 'bot', events: [naming(AD, { isBot: true })] },
  'a bot without consent': { truth: 'unnamed', events: [naming({ ...AD, consent: 'denied' }, { isBot: true })] },
  'a bot and the visitor': { truth: 'email', events: [naming(AD, { isBot: true }), naming(LETTER)], daysAgo: 0 },
  'a clock that is days ahead': { truth: 'clock', events: [naming(AD, { before: -2 * 1440 })] },
  'an event that waited too long': { truth: 'clock', events: [naming(AD, { before: 3 * 1440, hasSentAt: true })] },
  'a visit after the order': { truth: 'clock', events: [seen({ ...AD, order_id: '*' }, 3)], daysAgo: 3 },
  'a visit of which nothing is seen': { truth: 'too_old', events: [naming(FROM_BANK)], daysAgo: 0 },
};

const CHANNELS = ['google_ads', 'email', 'direct'];

const simulated = fc.record({
  hasPixel: fc.constantFrom(true, true, true, false),
  orders: fc.array(
    fc.record({
      name: fc.constantFrom(...Object.keys(FATES)),
      ago: fc.nat(7),
      cents: fc.integer({ min: 0, max: 99 }),
      isCounted: fc.constantFrom(true, true, true, true, false),
    }),
    { minLength: 8, maxLength: 20 },
  ),
});
type SimulatedShop = typeof simulated extends fc.Arbitrary<infer Made> ? Made : never;

/** An order with what became of it, and the truth that must be found out. */
function ordersOf({ hasPixel, orders }: SimulatedShop) {
  return orders.flatMap(({ name, ago, cents, isCounted }, i) => {
    const fate = FATES[name];
    if (fate === undefined || (!hasPixel && fate.events.length > 0)) return [];
    const daysAgo = fate.daysAgo ?? ago;
    // The first event of a shop arrives today.
    const unnamed = !hasPixel ? 'no_pixel' : daysAgo === 0 ? 'not_named' : 'before_pixel';
    const truth = fate.truth === 'unnamed' ? unnamed : fate.truth;
    return [{ ...fate, id: `o${i}`, daysAgo, total: `${i + 1}.${String(cents).padStart(2, '0')}`, isCounted, truth }];
  });
}

describe('the losses of GET /v1/attribution in simulated shops', function () {
  this.timeout(600_000);
  const service = useService();

  /** Sends one event as its page does; what the service drops is dropped. */
  async function send(token: string, id: string, sent: Sent): Promise<void> {
    const { who, before, fields, ahead = 0, isBot = false, hasSentAt = false } = sent;
    const named = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === '*' ? id : value]));
    const now = Date.now();
    const event = {
      event_id: randomUUID(),
      anon_id: `${who} of ${id}`,
      consent: 'analytics',
      ts: iso(now + (ahead - before) * MINUTE),
      ...named,
    };
    const { status } = await service.call('POST', '/v1/collect', {
      key: token,
      body: { events: [event], ...(hasSentAt && { sent_at: iso(now + ahead * MINUTE) }) },
      ...(isBot && { headers: { 'User-Agent': BOT } }),
    });
    expect(status).to.equal(204);
  }

  /** Plays a shop in random order, while the workers are at it, and compares what the service says of it with the truth. */
  async function play(shop: SimulatedShop, roll: () => number): Promise<void> {
    const own = await attributedShop(service);
    const now = Date.now();
    if (shop.hasPixel) await send(own.token, 'passer-by', seen(HOME, 1));
    const orders = ordersOf(shop);
    const tasks = orders.flatMap(({ id, events, daysAgo, isCounted, total, hasToken }) => [
      ...events.map((sent) => () => send(own.token, id, sent)),
      () =>
        own.pushOrder({
          order_id: id,
          placed_at: iso(now - daysAgo * DAY),
          total,
          ...(!isCounted && { status: 'voided' }),
          ...(hasToken === true && { checkout_token: id }),
        }),
    ]);
    for (const { run } of tasks.map((run) => ({ run, at: roll() })).sort((a, b) => a.at - b.at)) {
      await run();
      if (roll() < 20) await service.settled();
    }
    await service.settled();

    const counted = orders.filter(({ isCounted }) => isCounted);
    const sums = (of: (order: (typeof orders)[number]) => string | undefined): Record<string, [number, number]> => {
      const all: Record<string, [number, number]> = {};
      for (const order of counted) {
        const name = of(order);
        if (name === undefined) continue;
        const [count, cents] = all[name] ?? [0, 0];
        all[name] = [count + 1, cents + Math.round(Number(order.total) * 100)];
      }
      return all;
    };
    const isCredited = (truth: string): boolean => CHANNELS.includes(truth);
    const { body } = await own.shop.call('GET', `/v1/attribution?${range()}&include=losses`);
    const cents = ({ revenue }: { revenue: string }): number => Math.round(Number(revenue) * 100);
    const losses = (body.losses as Loss[]).map((row) => [`${row.date} ${row.cause}`, [row.orders, cents(row)]]);
    expect(Object.fromEntries(losses)).to.deep.equal(
      sums(({ truth, daysAgo }) => (isCredited(truth) ? undefined : `${day(now - daysAgo * DAY)} ${truth}`)),
    );
    const rows = (body.channels as ChannelRow[]).filter((row) => row.orders > 0);
    const channels = rows.map((row) => [row.channel, [row.orders, cents(row)]]);
    expect(Object.fromEntries(channels)).to.deep.equal(
      sums(({ truth }) => (isCredited(truth) ? truth : 'unattributed')),
    );
  }

  it('are why each order is unattributed, and with the channels all counted orders', async () => {
    const shops = fc.array(simulated, { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(shops, fc.infiniteStream(fc.nat(999)), async (all, dice) => {
        await Promise.all(all.map((shop) => play(shop, () => dice.next().value ?? 0)));
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });
});
