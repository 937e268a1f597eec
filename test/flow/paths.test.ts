import { expect } from 'chai';
import { APP_ROUTES } from '../../src/console/server/routes.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { order } from '../support/error-cases.js';
import { OPERATOR_ENV, signInAsOperator, type Operator } from '../console/support.js';
import { useService, useShop } from '../support/service.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HINT =
  ' A part of the path is empty: paths have no trailing slash, and an id in a path is percent-encoded (#1001 is %231001).';

/** The paths of the API and of the app. */
const PATHS = [
  ...new Set([...OPERATIONS.map(({ path }) => path.replace(/\{\w+\}/g, ':id')), ...APP_ROUTES.map(({ path }) => path)]),
];

describe('a path that is not whole', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });
  const shop = useShop(service);

  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });

  const ask = (method: string, path: string): Promise<Response> => {
    if (path.startsWith('/app/')) {
      const read = { headers: { Cookie: operator.cookie }, method };
      return method === 'GET' || method === 'HEAD' ? fetch(service.url + path, read) : operator.send(method, path);
    }
    return fetch(service.url + path, { method, headers: { authorization: `Bearer ${shop.key}` } });
  };

  it('is 404 for every method: with a slash at the end, and without one of its ids', async () => {
    const broken = PATHS.flatMap((path) => {
      const lost = [...path.matchAll(/[:*]\w+/g)].map(
        ({ 0: id, index }) => path.slice(0, index) + path.slice(index + id.length),
      );
      return [`${path}/`, ...lost].map((one) => one.replace(/[:*]\w+/g, 'x'));
    });
    expect(broken).to.include.members(['/v1/orders/', '/v1/costs/expenses/', '/app/api/shops//keys']);
    await Promise.all(
      [...new Set(broken)].map(async (path) => {
        for (const method of METHODS) {
          const answer = await ask(method, path);
          expect(answer.status, `${method} ${path}`).to.equal(404);
          if (method === 'HEAD') continue;
          const { errors } = (await answer.json()) as { errors: { code: string; message: string }[] };
          expect(errors.map(({ code, message }) => [code, message.endsWith(HINT)])).to.deep.equal([
            ['not_found', true],
          ]);
        }
      }),
    );
  });

  it('is a page that leads on for a browser, but not where programs ask', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const open = (path: string) => fetch(service.url + path, { headers });
    for (const path of ['/none', '/developers/', '/join/x']) {
      const answer = await open(path);
      expect([answer.status, answer.headers.get('content-type')], path).to.deep.equal([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await answer.text(), path).to.contain('<a href="/">all shops</a>');
      const head = await fetch(service.url + path, { method: 'HEAD', headers });
      expect([head.status, head.headers.get('content-type')], path).to.deep.equal([404, 'text/html; charset=utf-8']);
    }
    for (const path of ['/v1/none', '/app/api/none', '/assets/none.js'])
      expect((await open(path)).headers.get('content-type'), path).to.contain('json');
  });

  it('changes nothing, and the encoded id finds its order', async () => {
    const order_id = '#1001/a?b';
    await shop.call('POST', '/v1/orders', { orders: [order({ order_id })] });
    expect((await ask('DELETE', `/v1/orders/${order_id}`)).status).to.equal(404);
    expect((await ask('GET', '/v1/orders/.')).status).to.equal(404);
    const path = `/v1/orders/${encodeURIComponent(order_id)}`;
    expect((await ask('DELETE', path)).status).to.equal(204);
    expect((await ask('DELETE', '/v1/orders')).status).to.equal(405);
    expect((await ask('GET', '/v1//orders')).status).to.equal(404);
  });
});
