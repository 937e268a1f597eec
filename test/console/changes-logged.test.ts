import { request } from 'node:http';
import { expect } from 'chai';
import { OPEN_END } from '../../src/domain/access-log.js';
import { APP_ROUTES } from '../../src/console/server/routes.js';
import { unavailable } from '../../src/errors.js';
import { useService, type Shop } from '../support/service.js';
import { json, OPERATOR_ENV, signInAsOperator, type Operator } from './support.js';

/** What is no change of what is stored, or has its line as a sign-in. */
const NO_CHANGE = /sign-in|sign-out|invitation$|\/join|\/password|\/visit|preview|webhook\/test/;
const EXPENSE = {
  name: 'Rent',
  category: 'other',
  amount: '10',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-03-01',
  counts_as_ad_spend: false,
};
const SOURCE = { platform: 'test', currency: 'EUR', timezone: 'UTC' };
const COSTS = [{ sku: 'A', unit_cost: '1' }];

describe('every change in the app', () => {
  const service = useService({ workers: false, env: { ...OPERATOR_ENV, WEBHOOKS_TO_PRIVATE: '1' } });
  let operator: Operator;
  let shop: Shop;
  let count = 0;
  before(async () => {
    operator = await signInAsOperator(service);
  });
  beforeEach(async () => {
    shop = await service.shop({ timezone: 'UTC' });
  });

  /** Lets writes into the log fail: `which` are their numbers, from 1. */
  const withLog = async <T>(fails: (write: number) => boolean, work: () => Promise<T>): Promise<T> => {
    const { warehouse } = service.stores;
    const insert = warehouse.insert.bind(warehouse);
    let writes = 0;
    warehouse.insert = (table, rows, options) =>
      table === 'access_log' && fails(++writes)
        ? Promise.reject(unavailable('store_unavailable', 'The warehouse is away.'))
        : insert(table, rows, options);
    return work().finally(() => (warehouse.insert = insert));
  };
  const lines = async (): Promise<string[]> => {
    const { entries } = await json(await operator.get('/app/api/log'));
    return entries
      .filter((entry: { shop: string | null; what: string }) => entry.shop === null || entry.shop.startsWith(shop.id))
      .flatMap(({ what, times }: { what: string; times: number }) => Array<string>(times).fill(what));
  };
  /** The changes of all routes, with what each works on; those of one thing in their order. */
  const changes = async (): Promise<[route: string, path: string, body: object, line: RegExp][]> => {
    const own = `/app/api/shops/${shop.id}`;
    const make = async (path: string, body: object) => json(await operator.post(path, body), 201);
    const name = `Cleo ${process.pid} ${String.fromCharCode(97 + count++)}`;
    const { person } = await make('/app/api/people', { name, role: 'viewer', shops: ['a'] });
    const { person: next } = await make('/app/api/people', { name: `${name}x`, role: 'viewer', shops: ['a'] });
    const expense = await make(`${own}/expenses`, EXPENSE);
    const days = { from: '2026-03-01', to: '2026-03-02' };
    const link = await make(`${own}/share-links`, days);
    const keys = [await make(`${own}/keys`, { kind: 'secret' }), await make(`${own}/keys`, { kind: 'secret' })];
    const rows = [{ channel: 'Radio', event_date: '2026-03-02', currency: 'EUR', spend: '15' }];
    const rule = { payment_gateway: 'stripe', percent: '1', fixed: '0.25' };
    const people = '/app/api/people/:person';
    const at = '/app/api/shops/:shop';
    return [
      ['POST /app/api/people', '', { name: `${name}y`, role: 'viewer', shops: ['a'] }, /^invited/],
      [`PATCH ${people}`, person.person_id, { role: 'viewer', shops: ['b'] }, /^changed/],
      [`POST ${people}/invitation`, person.person_id, {}, /^made a new invitation/],
      [`DELETE ${people}`, next.person_id, {}, /^removed/],
      ['POST /app/api/shops', '', { shop_id: `${shop.id}-${count}`, source: SOURCE }, /^made the shop/],
      [`POST ${at}/close`, '', {}, /^closed/],
      [`POST ${at}/reopen`, '', {}, /^opened/],
      [`PUT ${at}/v1/source`, '', { ...SOURCE, shop_domain: 'a.example' }, /^changed what the shop is/],
      [`PUT ${at}/v1/products/costs`, '', { costs: COSTS }, /^priced/],
      [`PUT ${at}/v1/costs/orders`, '', { costs: [{ order_id: '1', fulfillment_cost: '1' }] }, /^set costs/],
      [`POST ${at}/v1/costs/spend`, '', { rows }, /^set ad spend/],
      [`POST ${at}/v1/costs/expenses`, '', { ...EXPENSE, external_id: 'rent' }, /^set an expense/],
      [`PUT ${at}/v1/hooks/shopify`, '', { secret: 'hush', shop_domain: 'a.myshopify.com' }, /^set the webhooks/],
      [`DELETE ${at}/v1/hooks/shopify`, '', {}, /^ended the webhooks/],
      [`POST ${at}/gateway-fees`, '', { rules: [rule] }, /^changed the fee rules/],
      [`POST ${at}/expenses`, '', EXPENSE, /^made the expense/],
      [`PATCH ${at}/expenses/:expense`, expense.expense_id, { ...EXPENSE, amount: '11' }, /^changed the expense/],
      [`POST ${at}/expenses/:expense/end`, expense.expense_id, { ended_on: '2026-04-01' }, /^let the expense/],
      [`DELETE ${at}/expenses/:expense`, expense.expense_id, {}, /^removed the expense/],
      [`PUT ${at}/alerts`, '', { rules: [{ kind: 'day_lost', is_on: true, threshold: '7' }] }, /^changed the alerts/],
      [`PUT ${at}/alerts/webhook`, '', { url: 'https://a.example/' }, /^set the webhook/],
      [`DELETE ${at}/alerts/webhook`, '', {}, /^removed the webhook/],
      [`POST ${at}/share-links`, '', days, /^shared/],
      [`POST ${at}/share-links/:link/end`, link.link_id, {}, /^ended the link/],
      [`POST ${at}/keys`, '', { kind: 'secret' }, /^made/],
      [`POST ${at}/keys/:key/rotate`, keys[0].key_id, { overlap_hours: 1 }, /^made/],
      [`POST ${at}/keys/:key/revoke`, keys[1].key_id, {}, /^revoked/],
    ];
  };
  const send = (route: string, id: string, body: object): Promise<Response> => {
    const [method = '', path = ''] = route.split(' ');
    return operator.send(method, path.replace(':shop', shop.id).replace(/:\w+/, id), body);
  };

  it('has a line that is stored first: none is made without it, and one whose end is not stored says so', async () => {
    const all = await changes();
    const known = APP_ROUTES.map(({ name }) => name).filter(
      (route) => !route.startsWith('GET') && !NO_CHANGE.test(route),
    );
    const others = known.filter((route) => !all.some(([tested]) => tested === route));
    // Sessions are the same as those of people in every other way; the sample shop is made once, and may be there.
    expect(others.filter((route) => !/\/sessions\/|\/sample-shop$/.test(route))).to.deep.equal([]);
    const state = async () => {
      const paths = ['keys', 'expenses', 'gateway-fees', 'alerts', 'share-links', 'v1/source', 'v1/products/costs'];
      const reads = [...paths.map((path) => `/app/api/shops/${shop.id}/${path}`), '/app/api/people'];
      return Promise.all(reads.map(async (path) => (await operator.get(path)).text()));
    };
    const [before, linesBefore] = [await state(), await lines()];
    for (const [route, id, body] of all) {
      const { status } = await withLog(
        () => true,
        () => send(route, id, body),
      );
      expect(status, route).to.be.oneOf([503, 404]);
    }
    expect(await state()).to.deep.equal(before);
    expect(await lines()).to.deep.equal(linesBefore);

    for (const [route, id, body, line] of all) {
      const { status } = await withLog(
        (write) => write > 1,
        () => send(route, id, body),
      );
      expect(status, route).to.be.within(200, 204);
      const [newest = ''] = (await lines()).filter((what) => line.test(what));
      expect(newest.endsWith(OPEN_END), `${route}: ${newest}`).to.equal(true);
    }
    for (const [route, id, body, line] of await changes()) {
      expect((await send(route, id, body)).status, route).to.be.within(200, 204);
      const [newest = ''] = (await lines()).filter((what) => line.test(what));
      expect(newest.endsWith(OPEN_END), `${route}: ${newest}`).to.equal(false);
    }
  });

  it('that is a trial or is refused has none, and one whose client has left has one', async () => {
    const path = `/app/api/shops/${shop.id}/v1/products/costs`;
    const none = await lines();
    for (const trial of ['1', 'true']) {
      const answer = await operator.send('PUT', `${path}?validate_only=${trial}`, { costs: COSTS });
      expect(answer.status, trial).to.equal(200);
    }
    for (const wrong of ['', 'TRUE', 'yes', '1&validate_only=0'])
      expect((await operator.send('PUT', `${path}?validate_only=${wrong}`, { costs: COSTS })).status).to.equal(400);
    const rejected = await json(await operator.send('PUT', path, { costs: [{ sku: 'A', unit_cost: '-1' }] }));
    expect(rejected).to.include({ accepted: 0, rejected: 1 });
    expect((await operator.send('PUT', path, { costs: [] })).status).to.equal(400);
    expect((await operator.send('PUT', path, 'no')).status).to.equal(400);
    expect(await lines()).to.deep.equal(none);

    for (const stored of ['0', 'false'])
      expect((await operator.send('PUT', `${path}?validate_only=${stored}`, { costs: COSTS })).status).to.equal(200);
    expect(await lines()).to.deep.equal(['priced products', 'priced products', ...none]);

    const { host, hostname, port } = new URL(service.url);
    const headers = {
      Host: host,
      Origin: service.url,
      Cookie: operator.cookie,
      'X-CSRF-Token': operator.csrf,
      'Content-Type': 'application/json',
    };
    // The client leaves when the change is about to begin.
    const sent = request({ hostname, port, path, method: 'PUT', headers });
    const hasLeft = new Promise<void>((resolve) => sent.once('close', resolve));
    sent.on('error', () => undefined).end(JSON.stringify({ costs: COSTS }));
    const leave = (): boolean => {
      sent.destroy();
      return false;
    };
    await withLog(leave, () => hasLeft);
    const priced = async () => (await lines()).filter((line) => line === 'priced products').length;
    for (let i = 0; i < 200 && (await priced()) < 3; i++) await new Promise((next) => setTimeout(next, 100));
    expect(await lines()).to.deep.equal(['priced products', 'priced products', 'priced products', ...none]);
  });

  it('that is sent again by one form makes one expense and one line', async () => {
    const path = `/app/api/shops/${shop.id}/expenses`;
    const form = { 'Idempotency-Key': '0123456789abcdef' };
    const answers = await Promise.all([1, 2, 3].map(async () => json(await operator.post(path, EXPENSE, form), 201)));
    expect(new Set(answers.map(({ expense_id }) => expense_id)).size).to.equal(1);
    expect((await json(await operator.get(path))).expenses).to.have.lengthOf(1);
    expect((await lines()).filter((what) => what.startsWith('made the expense'))).to.have.lengthOf(1);
    await json(await operator.post(path, EXPENSE, { 'Idempotency-Key': '0123456789abcdeg' }), 201);
    await json(await operator.post(path, EXPENSE), 201);
    expect((await json(await operator.get(path))).expenses).to.have.lengthOf(3);
    expect((await operator.post(path, EXPENSE, { 'Idempotency-Key': 'short' })).status).to.equal(400);
  });
});
