import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { EventVerdict } from '../../src/schemas/collect.js';
import { useService, type CallOptions, type Shop } from '../support/service.js';
import { collectedEvent as event } from '../support/collected-event.js';

describe('POST /v1/collect', () => {
  const service = useService();
  let shop: Shop;
  let token: string;

  beforeEach(async () => {
    shop = await service.shop();
    token = await service.key(shop.id, 'pixel');
  });

  const collect = (options: CallOptions, query = '') => service.call('POST', `/v1/collect${query}`, options);
  const stored = async () => {
    await service.settled();
    return service.stores.warehouse.query<Record<string, unknown>>(
      'SELECT * FROM events FINAL WHERE shop_id = {shop:String} ORDER BY ts, event_id',
      { shop: shop.id },
    );
  };
  const code = (answer: { body: { errors?: { code: string }[] } }) => answer.body.errors?.[0]?.code;

  it('answers 204 without a body and stores the event', async () => {
    const sent = event({
      type: 'purchase',
      order_id: '1001',
      quantity: '2',
      url: 'https://shop.example.com/thanks?utm_source=google&gclid=Cj0&email=jane%40mail.example',
      referrer: 'https://www.google.com/search?q=jane',
      session_hint: 'söße',
    });
    const answer = await collect({ key: token, body: { events: [sent] } });
    expect(answer.status).to.equal(204);
    expect(answer.body).to.equal('');
    expect(answer.headers.get('content-type')).to.equal(null);
    const [row, ...others] = await stored();
    expect(others).to.have.length(0);
    expect(row).to.include({
      shop_id: shop.id,
      event_id: sent.event_id,
      type: 'purchase',
      anon_id: sent.anon_id,
      session_hint: 'söße',
      order_id: '1001',
      quantity: '2',
      url: 'https://shop.example.com/thanks?utm_source=google&gclid=Cj0',
      url_host: 'shop.example.com',
      url_path: '/thanks',
      referrer: 'https://www.google.com/search',
      referrer_host: 'www.google.com',
      referrer_class: 'search',
      utm_source: 'google',
      channel: 'google_ads',
    });
    expect(row?.['click_ids.value']).to.deep.equal(['Cj0']);
    expect(`${String(row?.ts).replace(' ', 'T')}Z`).to.equal(sent.ts);
  });

  it('stores a batch event by event, whatever neighbours have in common', async () => {
    const pages = ['a', 'a', 'b?gclid=1', 'b?gclid=1', 'a', 'ü'];
    const visitors = ['one', 'one', 'one', 'two', 'two', 'one'];
    const hints = ['', 'x', 'x', 'x', '', ''];
    const events = pages.map((page, i) =>
      event({
        event_id: `e${i}`,
        anon_id: visitors[i],
        session_hint: hints[i],
        sku: `s${i}`,
        url: `https://shop.example.com/${page}`,
      }),
    );
    await collect({ key: token, body: { events } });
    await collect({
      key: token,
      body: { events: events.map((each) => ({ ...each, event_id: `${String(each.event_id)}-2` })) },
    });
    const rows = await stored();
    expect(rows).to.have.length(12);
    for (const row of rows) {
      const i = Number(/\d/.exec(row.event_id as string)?.[0]);
      const sent = new URL(`https://shop.example.com/${pages[i]}`);
      expect(row).to.include({ anon_id: visitors[i], session_hint: hints[i], sku: `s${i}`, url: sent.href });
      expect(row['click_ids.value']).to.deep.equal(pages[i]?.includes('gclid') ? ['1'] : []);
      expect(row.channel).to.equal(pages[i]?.includes('gclid') ? 'google_ads' : 'direct');
    }
  });

  it('takes the token from the body, the header first where both are there', async () => {
    expect((await collect({ body: { token, events: [event()] } })).status).to.equal(204);
    expect((await collect({ key: token, body: { token: 'pt_svc_wrong', events: [event()] } })).status).to.equal(204);
    expect((await collect({ key: 'pt_svc_wrong', body: { token, events: [event()] } })).status).to.equal(401);
    expect(await stored()).to.have.length(2);
  });

  for (const type of [
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/json',
    'Application/JSON; charset=utf-8',
  ]) {
    it(`takes a body sent as ${type}`, async () => {
      const headers = { 'Content-Type': type };
      expect((await collect({ headers, body: { token, events: [event()] } })).status).to.equal(204);
    });
  }

  it('takes a body of bare bytes, which has no type', async () => {
    const body = Buffer.from(JSON.stringify({ token, events: [event()] }));
    expect((await fetch(`${service.url}/v1/collect`, { method: 'POST', body })).status).to.equal(204);
  });

  it('takes a gzip body, and holds the limit against what it inflates to', async () => {
    const pack = (url: string) => gzipSync(JSON.stringify({ token, events: [event({ url })] }));
    const headers = { 'Content-Encoding': 'gzip' };
    expect((await collect({ headers, raw: pack('https://shop.example.com/') })).status).to.equal(204);
    const bomb = await collect({ headers, raw: pack(`https://shop.example.com/${'a'.repeat(70_000)}`) });
    expect([bomb.status, code(bomb)]).to.deep.equal([413, 'body_too_large']);
  });

  it('drops events one by one and says with debug=1 what became of each', async () => {
    const events = [
      event({ event_id: 'good' }),
      event({ event_id: 'money', total: '9.90' }),
      event({ event_id: 'denied', consent: 'none' }),
      event({ event_id: 'type', type: 'click' }),
      event({ event_id: 'order', type: 'purchase' }),
      event({ event_id: 'time', ts: '2026-03-01 12:00' }),
      event({ event_id: 'person', anon_id: 'jane@mail.example' }),
      event({ event_id: 'amount', quantity: '1e3' }),
      { event_id: 7 },
      null,
    ];
    const { status, body } = await collect({ key: token, body: { events } }, '?debug=1');
    expect(status).to.equal(200);
    expect(
      (body.results as EventVerdict[]).map((result) => [result.event_id, result.verdict, result.errors?.[0]?.code]),
    ).to.deep.equal([
      ['good', 'accepted', undefined],
      ['money', 'dropped', 'unknown_field'],
      ['denied', 'dropped', 'consent_required'],
      ['type', 'dropped', 'invalid_value'],
      ['order', 'dropped', 'missing_field'],
      ['time', 'dropped', 'invalid_timestamp'],
      ['person', 'dropped', 'pii_rejected'],
      ['amount', 'dropped', 'invalid_quantity'],
      [null, 'dropped', 'missing_field'],
      [null, 'dropped', 'invalid_type'],
    ]);
    expect((await collect({ key: token, body: { events } })).status).to.equal(204);
    expect((await stored()).map((row) => row.event_id)).to.deep.equal(['good']);
    const [log] = await service.stores.warehouse.query<Record<string, string>>(
      `SELECT sum(accepted) AS accepted, sum(rejected) AS rejected,
         toString(arraySort(arrayDistinct(groupArrayArray(errors.code)))) AS codes
       FROM ingest_log FINAL WHERE shop_id = {shop:String} AND kind = 'events'`,
      { shop: shop.id },
    );
    expect(log).to.deep.equal({
      accepted: '2',
      rejected: '18',
      codes:
        "['consent_required','invalid_quantity','invalid_timestamp','invalid_type','invalid_value','missing_field','pii_rejected','unknown_field']",
    });
  });

  it('drops and counts what a bot sends', async () => {
    const headers = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
    const { body } = await collect({ key: token, headers, body: { events: [event()] } }, '?debug=1');
    expect(body.results[0]).to.include({ verdict: 'dropped' });
    expect(body.results[0].errors[0].code).to.equal('bot');
    expect(await stored()).to.have.length(0);
  });

  it('counts a repeat once and keeps the first, whatever else differs', async () => {
    const first = event({ url: 'https://shop.example.com/first' });
    await collect({ key: token, body: { events: [first, { ...first, url: 'https://shop.example.com/second' }] } });
    await stored();
    const third = {
      ...first,
      anon_id: 'other',
      ts: new Date(Date.now() - 86_400_000).toISOString(),
      type: 'add_to_cart',
    };
    await collect({ key: token, body: { events: [third] } });
    const rows = await stored();
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ url_path: '/first', anon_id: first.anon_id, type: 'page_view' });
  });

  it('keeps two shops apart', async () => {
    const other = await service.key('another-shop', 'pixel');
    const same = event();
    await collect({ key: token, body: { events: [same] } });
    await collect({ key: other, body: { events: [same] } });
    expect(await stored()).to.have.length(1);
    const [row] = await service.stores.warehouse.query<{ count: string }>(
      "SELECT count() AS count FROM events FINAL WHERE shop_id = 'another-shop'",
    );
    expect(row?.count).to.equal('1');
  });
});
