import { expect } from 'chai';
import { useService, type Shop } from '../support/service.js';
import { fetchApp } from './answers.js';
import {
  freshAddress,
  joinAs,
  json,
  OPERATOR_ENV,
  PASSWORD,
  refusalOf,
  signInAsOperator,
  trySignIn,
  type Operator,
} from './support.js';

const order = (id: string, day: string) => ({
  order_id: id,
  placed_at: `${day}T12:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', sku: 'SECRET-MUG', title: 'A mug', quantity: '3', unit_price: '33.333333' }],
  total: '99.999999',
});
const RANGE = 'from=2026-03-01&to=2026-03-02';

describe('links that share figures', () => {
  const service = useService({ env: OPERATOR_ENV });
  let operator: Operator;
  let shop: Shop;
  before(async () => {
    operator = await signInAsOperator(service);
    shop = await service.shop();
    const orders = [order('hidden-1', '2026-03-01'), order('hidden-2', '2026-03-02'), order('hidden-3', '2026-03-03')];
    await shop.call('POST', '/v1/orders', { orders });
    await service.settled();
  });

  const path = (id = shop.id) => `/app/api/shops/${id}/share-links`;
  const make = async () => json(await operator.post(path(), { from: '2026-03-01', to: '2026-03-02' }), 201);
  const open = (token: string, of = '', address = freshAddress()) =>
    fetchApp(`${service.url}/app/api/share${of}`, { headers: { 'X-Share-Token': token, 'X-Forwarded-For': address } });

  it('show statement, days and channels of their days to the byte, and say that they are not to be indexed', async () => {
    const { token } = await make();
    const about = await open(token);
    expect(about.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(about.headers.get('x-robots-tag')).to.equal('noindex');
    expect(await json(about)).to.include({ shop_id: shop.id, from: '2026-03-01', to: '2026-03-02', currency: 'EUR' });
    for (const [view, own] of [
      ['statement', `/v1/metrics?${RANGE}&include=coverage,statement`],
      ['days', `/v1/metrics/daily?${RANGE}&include=coverage,statement`],
      ['channels', `/v1/attribution?${RANGE}`],
    ]) {
      const shared = await open(token, `/${view}`);
      expect(shared.headers.get('x-robots-tag')).to.equal('noindex');
      const text = await shared.text();
      expect(text).to.equal(await (await operator.get(`/app/api/shops/${shop.id}${own}`)).text());
      expect(text).to.not.match(/hidden-|SECRET-MUG|receipt/);
    }
  });

  it('let nothing else through, whatever is asked', async () => {
    const { token } = await make();
    const wide = await json(await open(token, '/statement?from=2026-01-01&to=2026-12-31'));
    expect(wide).to.include({ from: '2026-03-01', to: '2026-03-02', orders: 2 });
    for (const other of ['/orders', '/products', '/toString', '/__proto__', '/..%2Fv1%2Forders', '/v1/orders'])
      expect((await open(token, other)).status, other).to.equal(404);
    for (const of of [`/app/api/shops/${shop.id}/v1/metrics?${RANGE}`, '/v1/metrics', '/app/api/shops'])
      expect((await fetch(service.url + of, { headers: { 'X-Share-Token': token } })).status, of).to.equal(401);
  });

  it('are listed without their token, which is not stored, and end by hand and after 30 days', async () => {
    const { token, link_id, until } = await make();
    expect(Date.parse(until) - Date.now()).to.be.within(29.9 * 86_400_000, 30 * 86_400_000);
    const { links } = await json(await operator.get(path()));
    expect(links[0]).to.deep.equal({ link_id, until, from: '2026-03-01', to: '2026-03-02', made_by: 'Operator' });
    const rows = await service.stores.warehouse.query('SELECT * FROM share_links');
    expect(JSON.stringify(rows)).to.not.contain(token);
    const other = await service.shop();
    expect(await refusalOf(await operator.post(`${path(other.id)}/${link_id}/end`))).to.equal('404 not_found');
    expect((await operator.post(`${path()}/${link_id}/end`)).status).to.equal(204);
    expect(await refusalOf(await open(token, '/statement'))).to.equal('404 link_over');
    expect((await json(await operator.get(path()))).links).to.not.deep.include(links[0]);

    const late = await make();
    await service.stores.warehouse.command(
      `INSERT INTO share_links SELECT * REPLACE (now64(3) - 1 AS expires_at, version + 1 AS version)
       FROM share_links FINAL WHERE link_id = {id:String}`,
      { id: late.link_id },
    );
    expect(await refusalOf(await open(late.token))).to.equal('404 link_over');
  });

  it('can not be guessed without end, and are refused days that can not be', async () => {
    const address = freshAddress();
    const guesses = Array.from({ length: 70 }, () => open('a'.repeat(43), '', address));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).to.have.lengthOf(60);
    expect(statuses.filter((status) => status === 429)).to.have.lengthOf(10);
    // They can't be guessed, so they take nothing from the tries of what can be; nor do images on the page of another site.
    const from = { 'X-Forwarded-For': address };
    for (let i = 0; i < 6; i++) {
      const image = { ...from, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image' };
      expect(await refusalOf(await fetch(`${service.url}/app/api/share`, { headers: image }))).to.equal(
        '403 cross_site',
      );
    }
    const { name } = await joinAs(service, operator, { role: 'viewer', shops: ['a'] });
    expect((await trySignIn(service, { name, password: PASSWORD }, from)).status).to.equal(204);
    expect((await open((await make()).token, '', address)).status).to.equal(200);
    for (const days of [
      { from: '2026-03-02', to: '2026-03-01' },
      { from: '2020-01-01', to: '2026-03-01' },
      { from: '2026-03-01', to: 'never' },
      { from: '2026-03-01' },
    ])
      expect((await operator.post(path(), days)).status, JSON.stringify(days)).to.equal(400);
    expect((await operator.post(path('there-is-none'), { from: '2026-03-01', to: '2026-03-01' })).status).to.equal(409);
  });
});
