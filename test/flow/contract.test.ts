import { expect } from 'chai';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import type { Operation, Parameter } from '../../src/http/openapi/operation.js';
import { order, source } from '../support/error-cases.js';
import { useService, useShop, type Answer } from '../support/service.js';

/** Parameters of a query that take a few values alone. */
const fixedSets = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter(({ in: place, schema }) => place === 'query' && 'enum' in schema);

const faultsOf = ({ body }: Answer): string[] =>
  body.errors.map(({ code, field }: { code: string; field?: string }) => `${code} ${field ?? ''}`.trim()).sort();

describe('every request', () => {
  const service = useService();
  const shop = useShop(service);

  const send = async ({ method, path, scope, body }: Operation, query: string): Promise<Answer> =>
    service.call(method.toUpperCase(), `${path.replace(/\{\w+\}/g, 'x')}?${query}`, {
      key: scope === 'collect' ? await service.key(shop.id, 'pixel') : shop.key,
      ...(body !== undefined && { body: {} }),
    });

  /** The faults of what a query must hold, but for the one parameter that it holds. */
  const missing = ({ parameters = [] }: Operation, given: string): string[] =>
    parameters
      .filter(({ name, in: place, required }) => place === 'query' && required === true && name !== given)
      .map(({ name }) => `missing_field ${name}`);

  for (const operation of OPERATIONS) {
    for (const { name } of fixedSets(operation)) {
      it(`${operation.id}: takes the values of ${name} alone`, async () => {
        for (const value of ['', 'True', 'TRUE', 'yes', 'on', '2', '01', ' 1', '1,', 'null', 'x'.repeat(5_000)]) {
          const answer = await send(operation, new URLSearchParams({ [name]: value }).toString());
          expect(answer.status, value).to.equal(400);
          expect(faultsOf(answer), value).to.deep.equal([`invalid_value ${name}`, ...missing(operation, name)]);
        }
      });
    }
    if (!operation.path.startsWith('/v1/')) continue;
    it(`${operation.id}: tells all faults of its query at once`, async () => {
      const known = (operation.parameters ?? []).filter(({ in: place }) => place === 'query').map(({ name }) => name);
      const ranged: ReadonlySet<string> = new Set(known.filter((name) => name === 'from' || name === 'to'));
      const wrong = known.filter((name) => fixedSets(operation).some((one) => one.name === name) || ranged.has(name));
      const query = new URLSearchParams([
        ...wrong.map((name): [string, string] => [name, 'x']),
        ['colour', '1'],
        ['size', '2'],
      ]);
      const expected = wrong.map((name) => `${ranged.has(name) ? 'invalid_range' : 'invalid_value'} ${name}`);
      const answer = await send(operation, query.toString());
      expect(faultsOf(answer)).to.deep.equal([...expected, 'unknown_field colour', 'unknown_field size'].sort());
    });
  }

  it('stores nothing where the flag of a trial is misspelt', async () => {
    for (const value of ['True', 'yes', '', '1&validate_only=1']) {
      const path = `/v1/orders?validate_only=${value}`;
      expect((await shop.call('POST', path, { orders: [order({ order_id: 'trial' })] })).status, value).to.equal(400);
    }
    for (const value of ['1', 'true']) {
      const { body } = await shop.call('POST', `/v1/orders?validate_only=${value}`, { orders: [order()] });
      expect(body.accepted, value).to.equal(1);
    }
    expect((await shop.call('GET', '/v1/source')).body.locked).to.equal(false);
  });

  it('repeats at most 100 characters of what was sent, but for ids', async () => {
    const long = 'q'.repeat(1_500);
    const wide = 'q'.repeat(200);
    const spend = { channel: 'Radio', event_date: long, currency: long, spend: long, campaign_name: long };
    const expense = { external_id: long, name: long, category: long, amount: long, currency: long, frequency: long, started_on: long }; // prettier-ignore
    const answers = [
      await shop.call('POST', '/v1/orders', { orders: [order({ order_id: long, placed_at: long, total: long, [long]: 1, line_items: [{ line_id: long }] })] }), // prettier-ignore
      await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: long, effective_from: long, [long]: 1 }] }),
      await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'A', effective_from: wide, unit_cost: '1' }] }),
      await shop.call('POST', '/v1/costs/spend', { rows: [spend] }),
      await shop.call('POST', '/v1/costs/spend', { rows: [{ ...spend, event_date: wide, currency: wide }] }),
      await shop.call('POST', '/v1/costs/expenses', expense),
      await shop.call('PATCH', `/v1/costs/expenses/${long}`, { ...expense, external_id: 'x' }),
      await shop.call('DELETE', `/v1/costs/expenses/${long}`),
      await shop.call('PUT', '/v1/costs/gateway-fees', { rules: [0, 1].map(() => ({ payment_gateway: 'q'.repeat(255), percent: '1', fixed: '0' })) }), // prettier-ignore
      await shop.call('PUT', '/v1/source', { ...source, timezone: long, platform: long, shop_domain: long }),
      await shop.call('GET', `/v1/${long}`),
      await shop.call('GET', `/v1/metrics?from=${long}&to=${long}&include=${long}&${long}=1`),
      await shop.call('GET', `/v1/products/costs?sku=${long}&after=${long}&limit=${long}`),
      await shop.call('GET', `/docs/assets/${long}/x`),
      await service.call('POST', '/v1/orders', { key: shop.key, raw: long }),
      await service.call('POST', '/v1/collect?debug=1', {
        key: await service.key(shop.id, 'pixel'),
        body: { events: [{ event_id: long, type: long, ts: long, anon_id: long, consent: long, [long]: 1 }] },
      }),
    ];
    for (const answer of answers) {
      expect(/q{101}/.exec(JSON.stringify(answer.body))?.index, JSON.stringify(answer.body).slice(0, 300)).to.equal(
        undefined,
      );
      expect(answer.status).to.be.oneOf([200, 400, 404]);
    }
    const [pushed] = answers;
    const id = 'i'.repeat(255);
    expect(pushed?.body.results[0].order_id).to.equal(`${'q'.repeat(100)}…`);
    const { body } = await shop.call('POST', '/v1/orders', { orders: [order({ order_id: id, total: 1 })] });
    expect(body.results[0].order_id, 'an id tells results apart').to.equal(id);
  });

  it('says how long a text is that is too long', async () => {
    const row = { channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '1' };
    const { body } = await shop.call('POST', '/v1/costs/spend', {
      rows: [
        { ...row, campaign_name: 'é'.repeat(256) },
        { ...row, campaign_name: '😀'.repeat(255) },
      ],
    });
    expect(body.results[0].errors).to.deep.equal([
      {
        code: 'invalid_value',
        message: 'campaign_name must have at most 255 characters; it has 256.',
        field: 'campaign_name',
      },
    ]);
    expect(body.results[1].outcome).to.equal('accepted');
    const key = await service.key(shop.id, 'pixel');
    const event = {
      event_id: 'e',
      type: 'page_view',
      ts: new Date().toISOString(),
      anon_id: 'a',
      consent: 'analytics',
    };
    const collected = await service.call('POST', '/v1/collect?debug=true', {
      key,
      body: {
        events: [
          { ...event, event_id: 'x'.repeat(129) },
          { ...event, anon_id: 'x'.repeat(300), sku: 'a\tb' },
        ],
      },
    });
    expect(collected.body.results.map(({ errors }: { errors: { message: string }[] }) => errors.map(({ message }) => message))).to.deep.equal([
      ['event_id must have at most 128 characters; it has 129.'],
      ['anon_id must have at most 255 characters; it has 300.', 'sku holds characters that are not allowed there.'],
    ]); // prettier-ignore
  });

  describe('that is refused', () => {
    const asked = async (accept: string, path = '/v1/metrics?from=x&to=y', key: string | undefined = shop.key) =>
      service.call('GET', path, { key, headers: { Accept: accept } });

    it('says how to authenticate', async () => {
      for (const headers of [undefined, { Authorization: 'Bearer sk_svc_none' }, { Authorization: 'Basic YTpi' }]) {
        const answer = await service.call('GET', '/v1/metrics', headers === undefined ? {} : { headers });
        expect([answer.status, answer.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer']);
      }
      const beacon = await service.call('POST', '/v1/collect', { body: { events: [{}] } });
      expect([beacon.status, beacon.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer']);
    });

    it('is answered as a problem where the client asks for one', async () => {
      for (const accept of [
        'application/problem+json',
        'application/json, application/problem+json',
        'APPLICATION/PROBLEM+JSON; q=0.5, */*;q=0.1',
      ]) {
        const { status, headers, body } = await asked(accept);
        expect(headers.get('content-type'), accept).to.equal('application/problem+json');
        expect({ ...body, request_id: 0 }).to.deep.equal({
          type: 'about:blank',
          title: 'Bad Request',
          status,
          detail: 'from must be a real calendar day written YYYY-MM-DD.',
          errors: [
            { code: 'invalid_range', message: 'from must be a real calendar day written YYYY-MM-DD.', field: 'from' },
            { code: 'invalid_range', message: 'to must be a real calendar day written YYYY-MM-DD.', field: 'to' },
          ],
          request_id: 0,
        });
        expect(body.request_id).to.equal(headers.get('x-request-id'));
      }
      const unknown = await asked('application/problem+json', '/v1/nothing');
      expect([unknown.status, unknown.body.title]).to.deep.equal([404, 'Not Found']);
    });

    it('keeps its own form for everybody else', async () => {
      for (const accept of [
        '*/*',
        'application/json',
        'application/*',
        'application/problem+json;q=0',
        'application/json, application/problem+json;q=0.5',
        'application/problem+json;q=x',
      ]) {
        const { headers, body } = await asked(accept);
        expect(headers.get('content-type'), accept).to.equal('application/json; charset=utf-8');
        expect(Object.keys(body)).to.deep.equal(['errors', 'request_id']);
      }
    });
  });

  it('finds pages behind a slash too', async () => {
    for (const [path, location] of [
      ['/docs/', '../docs'],
      ['/docs/?x=1', '../docs?x=1'],
      ['/bi/', '../bi'],
    ] as const) {
      const response = await fetch(service.url + path, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).to.deep.equal([301, location]);
      expect((await fetch(service.url + path)).status).to.equal(200);
    }
  });
});
