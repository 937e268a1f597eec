import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { attributedShop, iso, MINUTE, type AttributedShop } from '../../support/attributed-shop.js';
import { source } from '../../support/error-cases.js';
import { useService } from '../../support/service.js';

const SHOP = 'https://shop.example.com';
const AD = { url: `${SHOP}/?gclid=abc`, referrer: 'https://www.google.com/' };

describe('a return to the shop', () => {
  const service = useService();
  let shop: AttributedShop;
  beforeEach(async () => {
    shop = await attributedShop(service);
  });

  /** The channel that gets the order of a visitor with these events, of so many minutes ago. */
  const channelOf = async (...events: (Record<string, unknown> & { ago: number })[]): Promise<string | undefined> => {
    const named = events.map(({ ago, ...event }) => ({
      type: 'page_view',
      event_id: randomUUID(),
      ts: iso(Date.now() - ago * MINUTE),
      ...event,
    }));
    await shop.collect(...named);
    await shop.pushOrder({});
    await service.settled();
    return (await shop.attribution()).find(({ orders }) => orders > 0)?.channel;
  };
  const thanks = (referrer: string, ago = 1) => {
    const page = { url: `${SHOP}/thanks?order=1`, referrer, ago };
    return [page, { ...page, type: 'purchase', order_id: '1001' }];
  };

  it('from any bank or payment page to the page of the purchase begins nothing', async () => {
    for (const bank of [
      'https://www.vivapayments.com/',
      'https://sis.redsys.es/sis/realizarPago',
      'https://buy.stripe.com/',
      'android-app://com.some.bank/',
    ]) {
      shop = await attributedShop(service);
      expect(await channelOf({ ...AD, ago: 90 }, ...thanks(bank)), bank).to.equal('google_ads');
    }
  });

  it('on which nothing is known of the visit before leaves the order unattributed', async () => {
    expect(await channelOf(...thanks('https://acs.bank.example/'))).to.equal('unattributed');
  });

  it('within 30 minutes of the checkout begins nothing; with a campaign it does', async () => {
    const checkout = { type: 'begin_checkout', url: `${SHOP}/checkout`, referrer: `${SHOP}/cart`, ago: 40 };
    const back = { url: `${SHOP}/checkout`, referrer: 'https://pay.example.org/', ago: 15 };
    const inside = thanks(`${SHOP}/checkout`);
    expect(await channelOf({ ...AD, ago: 60 }, checkout, back, ...inside)).to.equal('google_ads');
    shop = await attributedShop(service);
    const mail = { ...back, url: `${SHOP}/checkout?utm_source=n&utm_medium=email` };
    expect(await channelOf({ ...AD, ago: 60 }, checkout, mail, ...inside)).to.equal('email');
  });

  it('from another host on which the visitor saw pages of the shop begins nothing', async () => {
    const other = { url: 'https://www.till.example.net/cart', referrer: '', ago: 40 };
    const back = { url: `${SHOP}/cart`, referrer: 'https://till.example.net/', ago: 5 };
    expect(await channelOf({ ...AD, ago: 60 }, other, back, ...thanks(`${SHOP}/`))).to.equal('google_ads');
  });

  it('from one of the own hosts of the source begins nothing', async () => {
    const back = { url: `${SHOP}/cart`, referrer: 'https://eu.till.example.net/', ago: 5 };
    expect(await channelOf({ ...AD, ago: 60 }, back, ...thanks(`${SHOP}/`))).to.equal('referral');
    shop = await attributedShop(service);
    const { status } = await shop.shop.call('PUT', '/v1/source', { ...source, own_hosts: ['*.Till.example.net'] });
    expect(status).to.equal(200);
    expect(await channelOf({ ...AD, ago: 60 }, back, ...thanks(`${SHOP}/`))).to.equal('google_ads');
  });

  it('from a sign-in in the middle of a visit begins nothing; hours later it is a visit', async () => {
    for (const [ago, channel] of [
      [50, 'google_ads'],
      [5, 'organic_social'],
    ] as const) {
      shop = await attributedShop(service);
      const back = { url: `${SHOP}/account`, referrer: 'https://www.facebook.com/', ago };
      expect(await channelOf({ ...AD, ago: 60 }, back, ...thanks(`${SHOP}/`)), channel).to.equal(channel);
    }
  });
});
