import type { Router } from 'express';
import { expect } from 'chai';
import { openPages } from '../../src/composition/console.js';
import { RULES } from '../../src/console/server/rules.js';
import { isAtLeast, ROLES } from '../../src/domain/roles.js';
import { useService } from '../support/service.js';
import { joinAs, json, OPERATOR_ENV, refusalOf, signInAsOperator, type Operator } from './support.js';

/** Those that end the session are called last. */
const isLast = (route: string): boolean => route.endsWith('/sign-out');

/** The routes alone are looked at. */
const NO_QUEUE = { producer: { add: () => Promise.reject(new Error('nothing is pushed')) } };

describe('roles in the app', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });
  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });

  /** Every route of the app as the router has it: `POST /app/api/shops`. */
  function routes(): string[] {
    const router = openPages(
      service.config,
      service.stores,
      NO_QUEUE,
    )((_req, _res, next) => next()) as unknown as Router;
    const found = router.stack.flatMap(({ route }) => {
      // Pages have several paths.
      const path: unknown = route?.path;
      if (route === undefined || typeof path !== 'string' || !path.startsWith('/app/')) return [];
      return [...new Set(route.stack.map(({ method }) => `${method.toUpperCase()} ${path}`))];
    });
    return found.sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
  }

  const call = (client: Operator, route: string, shop: string): Promise<Response> => {
    const [method = '', path = ''] = route.split(' ');
    const filled = path.replace(':shop', shop).replace('*rest', 'metrics/definitions').replace(/:\w+/g, 'none');
    return method === 'GET' ? client.get(filled) : client.send(method, filled);
  };

  it('have a rule for each route of the router, and no other', () => {
    expect(routes().sort()).to.deep.equal(Object.keys(RULES).sort());
    expect(routes().length).to.be.greaterThan(20);
  });

  for (const role of ROLES) {
    it(`let a ${role} use the routes of the role, and no other`, async () => {
      const shop = await service.shop();
      const client = await joinAs(service, operator, { role, shops: role === 'owner' ? null : [shop.id] });
      for (const route of routes()) {
        const rule = RULES[route];
        if (rule === undefined || rule === 'anyone' || rule === 'share') continue;
        const answer = await call(client, route, shop.id);
        if (isAtLeast(role, rule)) expect(answer.status, route).to.not.be.oneOf([401, 403]);
        else expect(await refusalOf(answer), route).to.equal('403 role');
      }
    });
  }

  it('answer for the shop of others as for one that does not exist', async () => {
    const [own, other] = [await service.shop(), await service.shop()];
    const client = await joinAs(service, operator, { role: 'manager', shops: [own.id] });
    const ofShops = routes().filter((route) => route.includes('/:shop'));
    expect(ofShops.length).to.be.greaterThan(10);
    for (const route of ofShops) {
      const bodies = await Promise.all(
        [other.id, 'there-is-none'].map(async (shop) => {
          return (await json(await call(client, route, shop), 404)).errors;
        }),
      );
      expect(bodies[0], route).to.deep.equal(bodies[1]);
      expect(bodies[0][0].code, route).to.equal('not_found');
    }
    const { shops } = await json(await client.get('/app/api/shops'));
    expect(shops.map(({ shop_id }: { shop_id: string }) => shop_id)).to.deep.equal([own.id]);
  });

  it('let nobody in without a session but at the routes for that', async () => {
    const none = { ...operator, get: (path: string) => fetch(service.url + path) };
    for (const route of routes()) {
      if (RULES[route] === 'anyone' || !route.startsWith('GET')) continue;
      const expected = RULES[route] === 'share' ? '404 link_over' : '401 signed_out';
      expect(await refusalOf(await call(none, route, 'a')), route).to.equal(expected);
    }
  });
});
