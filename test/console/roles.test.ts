import { expect } from 'chai';
import { APP_ROUTES } from '../../src/console/server/routes.js';
import { isAtLeast, ROLES } from '../../src/domain/roles.js';
import { useService } from '../support/service.js';
import { joinAs, json, OPERATOR_ENV, refusalOf, signInAsOperator, type Operator } from './support.js';

/** Those that end the session are called last. */
const isLast = ({ name }: { name: string }): boolean => name.endsWith('/sign-out');
const ROUTES = APP_ROUTES.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));

describe('roles in the app', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });
  let operator: Operator;
  before(async () => {
    operator = await signInAsOperator(service);
  });

  const call = (client: Operator, route: string, shop: string): Promise<Response> => {
    const [method = '', path = ''] = route.split(' ');
    const filled = path.replace(':shop', shop).replace('*rest', 'metrics/definitions').replace(/:\w+/g, 'none');
    return method === 'GET' ? client.get(filled) : client.send(method, filled);
  };

  for (const role of ROLES) {
    it(`let a ${role} use the routes of the role, and no other`, async () => {
      const shop = await service.shop();
      const client = await joinAs(service, operator, { role, shops: role === 'owner' ? null : [shop.id] });
      for (const { name: route, role: needed } of ROUTES) {
        if (needed === 'anyone' || needed === 'share') continue;
        const answer = await call(client, route, shop.id);
        if (isAtLeast(role, needed)) expect(answer.status, route).to.not.be.oneOf([401, 403]);
        else expect(await refusalOf(answer), route).to.equal('403 role');
      }
    });
  }

  it('answer for the shop of others as for one that does not exist', async () => {
    const [own, other] = [await service.shop(), await service.shop()];
    const client = await joinAs(service, operator, { role: 'manager', shops: [own.id] });
    const ofShops = ROUTES.flatMap(({ name }) => (name.includes('/:shop') ? [name] : []));
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
    for (const { name: route, role } of ROUTES) {
      if (role === 'anyone' || !route.startsWith('GET')) continue;
      const expected = role === 'share' ? '404 link_over' : '401 signed_out';
      expect(await refusalOf(await call(none, route, 'a')), route).to.equal(expected);
    }
  });
});
