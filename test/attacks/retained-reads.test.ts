import { expect } from 'chai';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import type { Operation } from '../../src/http/openapi/operation.js';
import { signInAsOperator, ADMIN_TOKEN, type Operator } from '../console/support.js';
import { startMeasuredApi, type MeasuredApi } from '../support/measured-process.js';
import { serviceEnvironment, startService, type Service, type Shop } from '../support/service.js';

const MB = 1024 * 1024;
const ROUNDS = 60;
/** All texts of a request together: the server takes 16 KB of line and headers. */
const TEXTS = 11_000;

let count = 0;
/** A text of its own each time. */
const long = (length: number): string => `t${count++}-`.padEnd(length, 'x');

/** A request of an operation with a long text in each place of its address. */
function addressOf({ path, parameters = [] }: Operation, length: number): string {
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => `${name}=${long(length)}`);
  return `${path.replace(/\{\w+\}/g, () => long(length))}?${query.join('&')}`;
}

/** Filters and moments that are taken, and differ each time: what a service may want to remember. */
const taken = (): string[] => {
  const range = 'from=2026-03-01&to=2026-03-02';
  const asOf = new Date(Date.UTC(2026, 0, 1) + count++).toISOString();
  return [
    `/v1/metrics?${range}&as_of=${asOf}`,
    `/v1/metrics/explain?figure=cogs&${range}&sku=${long(200)}`,
    `/v1/orders?${range}&gateway=${long(200)}&channel=${long(60)}&sku=${long(200)}`,
    `/v1/orders/${long(200)}`,
    `/v1/products?${range}&sku=${long(200)}`,
    `/v1/products/costs?sku=${long(200)}`,
  ];
};

describe('what readers send', function () {
  this.timeout(600_000);
  let service: Service;
  let api: MeasuredApi;
  let shop: Shop;
  let operator: Operator;

  before(async () => {
    service = await startService({ workers: false });
    api = await startMeasuredApi({ ...(await serviceEnvironment()), ADMIN_TOKEN });
    shop = await service.shop();
    operator = await signInAsOperator(api);
  });
  after(async () => {
    await api.stop();
    await service.stop();
  });

  const get = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(api.url + path, { headers: { Authorization: `Bearer ${shop.key}`, ...headers } });
    const text = await response.text();
    expect(text.length, path.slice(0, 100)).to.be.below(100_000);
    return response.status;
  };

  const reads = OPERATIONS.filter(({ method, path }) => method === 'get' && path.startsWith('/v1/'));

  let rounds = 0;
  const round = async (): Promise<void> => {
    const refused = reads.map((operation) => {
      const places = (operation.parameters ?? []).length + 1;
      return get(addressOf(operation, Math.floor(TEXTS / places)));
    });
    const statuses = await Promise.all([
      ...refused,
      get('/v1/metrics', { Authorization: `Bearer ${long(8_000)}` }),
      get('/v1/metrics', { 'If-None-Match': long(8_000) }),
      get('/v1/metrics', { Accept: `${long(4_000)}/${long(4_000)}` }),
      get('/v1/metrics', { 'X-Request-Id': long(4_000), traceparent: long(4_000), 'User-Agent': long(4_000) }),
      get(`/${long(12_000)}`),
    ]);
    expect(Math.max(...statuses)).to.be.below(500);
    if (rounds++ % 5 === 0) expect(await Promise.all(taken().map((path) => get(path)))).to.not.include(500);
  };

  const consoleRound = async (): Promise<void> => {
    const answers = await Promise.all([
      operator.post('/app/api/shops', {
        shop_id: long(900),
        platform: long(900),
        currency: long(900),
        timezone: long(900),
      }),
      operator.get(`/app/api/shops/${long(8_000)}/keys`),
      operator.get(`/app/api/shops/${shop.id}/v1/metrics?from=${long(8_000)}`),
      operator.post(`/app/api/shops/${shop.id}/keys`, { kind: long(1_500), name: long(1_500) }),
      operator.post(`/app/api/shops/${shop.id}/keys/${long(8_000)}/revoke`),
      operator.post(`/app/api/shops/${shop.id}/costs/expenses`, { name: long(1_500), amount: long(1_500) }),
      fetch(`${api.url}/app/api/session`, { headers: { Cookie: `profit_session=${long(8_000)}` } }),
      fetch(`${api.url}/app/api/sign-in`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: api.url },
        body: JSON.stringify({ token: long(3_500) }),
      }),
    ]);
    for (const answer of answers) expect((await answer.text()).length, answer.url.slice(0, 100)).to.be.below(100_000);
    expect(Math.max(...answers.map(({ status }) => status))).to.be.below(500);
  };

  for (const [who, send] of [['every read', round] as const, ['the app', consoleRound] as const]) {
    it(`leaves less than 5 MB behind after 60 requests of the largest texts to ${who}`, async () => {
      for (let i = 0; i < 10; i++) await send();
      const before = await api.ask('heap');
      for (let i = 0; i < ROUNDS; i++) await send();
      const grown = (await api.ask('heap')) - before;
      expect(grown / MB, 'MB that stay').to.be.below(5);
    });
  }
});
