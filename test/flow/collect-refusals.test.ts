import { expect } from 'chai';
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

  const collect = (options: CallOptions) => service.call('POST', '/v1/collect', options);
  const code = (answer: { body: { errors?: { code: string }[] } }) => answer.body.errors?.[0]?.code;

  const refused: readonly (readonly [string, number, string, () => CallOptions])[] = [
    ['no token', 401, 'unauthorized', () => ({ body: { events: [event()] } })],
    ['an unknown token', 401, 'unauthorized', () => ({ key: `pt_svc_${'0'.repeat(64)}`, body: { events: [event()] } })],
    ['a body that is no JSON', 400, 'invalid_json', () => ({ key: token, raw: '{"events":' })],
    ['a body that is no object', 400, 'invalid_type', () => ({ key: token, body: [event()] })],
    ['a key twice', 400, 'invalid_json', () => ({ key: token, raw: '{"events":[],"events":[{}]}' })],
    ['no events', 400, 'missing_field', () => ({ key: token, body: {} })],
    ['an empty batch', 400, 'batch_size', () => ({ key: token, body: { events: [] } })],
    [
      '21 events',
      400,
      'batch_size',
      () => ({ key: token, body: { events: Array.from({ length: 21 }, () => event()) } }),
    ],
    [
      'an unknown field beside events',
      400,
      'unknown_field',
      () => ({ key: token, body: { events: [event()], user: 1 } }),
    ],
    ['__proto__', 400, 'unknown_field', () => ({ key: token, raw: '{"events":[{}],"__proto__":{"a":1}}' })],
    [
      'more than 64 KB',
      413,
      'body_too_large',
      () => ({ key: token, body: { events: [event({ url: 'a'.repeat(65_536) })] } }),
    ],
    [
      'a form',
      415,
      'unsupported_media_type',
      () => ({ key: token, raw: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
    ],
  ];
  for (const [what, status, expected, options] of refused) {
    it(`refuses ${what}`, async () => {
      const answer = await collect(options());
      expect([answer.status, code(answer)]).to.deep.equal([status, expected]);
      expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
      await service.settled();
      const rows = await service.stores.warehouse.query('SELECT 1 FROM events WHERE shop_id = {shop:String}', {
        shop: shop.id,
      });
      expect(rows).to.deep.equal([]);
    });
  }

  it('refuses keys that are no pixel token, and the token everywhere else', async () => {
    const publishable = await service.key(shop.id, 'publishable');
    for (const key of [shop.key, publishable]) {
      const answer = await collect({ key, body: { events: [event()] } });
      expect([answer.status, code(answer)]).to.deep.equal([403, 'forbidden_scope']);
      expect(answer.body.errors[0].message).to.include('pixel token');
    }
    for (const path of ['/v1/metrics', '/v1/source']) {
      expect((await service.call('GET', path, { key: token })).status).to.equal(403);
    }
  });

  it('answers a preflight of any origin, and a method that is not allowed', async () => {
    const asked = { Origin: 'https://shop.example.com', 'Access-Control-Request-Method': 'POST' };
    const { status, headers } = await service.call('OPTIONS', '/v1/collect', { headers: asked });
    expect(status).to.equal(204);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(headers.get('access-control-allow-methods')).to.include('POST');
    expect(headers.get('access-control-allow-headers')).to.match(/authorization.*content-type.*traceparent/i);
    expect(Number(headers.get('access-control-max-age'))).to.be.greaterThan(600);
    expect(headers.get('access-control-allow-credentials')).to.equal(null);
    const wrong = await service.call('GET', '/v1/collect');
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).to.deep.equal([405, '*']);
  });
});
