import { expect } from 'chai';
import type { Express } from 'express';
import { pino } from 'pino';
import { ERROR_CODES } from '../../src/error-catalogue.js';
import { createApp } from '../../src/http/app.js';
import type { Example, Operation } from '../../src/http/openapi/operation.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { DOCUMENT, schemaAt, timeless } from '../support/document.js';
import { useService, type Shop } from '../support/service.js';

/** Routes that are pages or files for people, not operations of the API. */
const PAGES = [
  /^\/docs(\{|\/|\.|$)/,
  /^\/llms\.txt$/,
  /^\/favicon\.ico$/,
  /^\/$/,
  /^\/developers(\/|$)/,
  /^\/assets\//,
  /^\/bi(\{|\/|\.|$)/,
  // Of another protocol.
  /^\/mcp$/,
  /^\/(pixel|decorate)(\.\{hash\})?\.js$/,
];

interface Field {
  description?: string;
  default?: unknown;
}

interface Layer {
  route?: { path: string; stack: { method?: string }[] };
  handle: { stack?: Layer[] };
}

/** Every route of an app as `get /v1/source`, also those of the routers within. */
function routesOf(app: Express): string[] {
  const found = new Set<string>();
  const walk = (layers: readonly Layer[]): void => {
    for (const { route, handle } of layers) {
      if (route === undefined) walk(handle.stack ?? []);
      else for (const { method } of route.stack) if (method !== undefined) found.add(`${method} ${route.path}`);
    }
  };
  walk((app.router as unknown as { stack: Layer[] }).stack);
  return [...found].map((route) => route.replace(/:(\w+)/g, '{$1}'));
}

describe('the OpenAPI document', () => {
  const service = useService();

  it('has exactly the routes of the service', () => {
    const app = createApp(service.deps, { log: pino({ level: 'silent' }), trustedProxies: 0 });
    const routes = routesOf(app)
      .filter((route) => !PAGES.some((page) => page.test(route.split(' ')[1] ?? '')))
      // Preflights belong to the operation that they ask about.
      .filter((route) => !route.startsWith('options '));
    expect(routes.sort()).to.deep.equal(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('is served with an ETag, as the operations give it', async () => {
    const answer = await service.call('GET', '/openapi.json');
    expect(answer.status).to.equal(200);
    expect({ ...answer.body, info: 0 }).to.deep.equal({ ...DOCUMENT, info: 0 });
    const etag = answer.headers.get('etag') ?? '';
    expect((await service.call('GET', '/openapi.json', { headers: { 'If-None-Match': etag } })).status).to.equal(304);
  });

  it('resolves all its references and compiles', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const name of Object.keys(DOCUMENT.components.schemas)) schemaAt(`/components/schemas/${name}`);
    const refs = JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g);
    for (const [ref, group = '', name = ''] of refs) {
      expect(DOCUMENT.components[group], ref).to.have.property(name);
    }
    expect(JSON.stringify(DOCUMENT)).not.to.match(/"format":"(money|quantity|timestamp|day|currency)"|x-size-code/);
  });

  it('documents every code of the catalogue', () => {
    for (const code of ERROR_CODES) expect(DOCUMENT.info.description).to.include(`| \`${code}\` |`);
  });

  it('describes every field of every schema, and says what an absent one is taken for', () => {
    const mute: string[] = [];
    const unsaid: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null || /\/(examples?|default|enum)$/.test(path)) return;
      const { properties, required = [] } = node as { properties?: Record<string, Field>; required?: string[] };
      if (properties !== undefined && !path.endsWith('/properties')) {
        for (const [name, field] of Object.entries(properties)) {
          const { description = '' } = field;
          if (description.length < 5) mute.push(`${path} ${name}`);
          const isOptional = !required.includes(name) && !path.includes('/allOf/') && !path.includes('/anyOf/');
          if (isOptional && !/absent/i.test(description)) unsaid.push(`${path} ${name}`);
        }
      }
      for (const [name, child] of Object.entries(node)) walk(child, `${path}/${name}`);
    };
    walk(DOCUMENT, '');
    expect(mute).to.deep.equal([]);
    expect(unsaid).to.deep.equal([]);
    for (const { path, parameters = [] } of OPERATIONS) {
      for (const { name, description, required, schema, in: place } of parameters) {
        expect(description, `${path} ${name}`).to.match(/.{5}/);
        const isSaid =
          required === true ||
          place !== 'query' ||
          'default' in schema ||
          /absent|alone|page before/i.test(description);
        expect(isSaid, `${path} ${name}`).to.equal(true);
      }
    }
  });

  it('has no default in a schema of a body, because generated clients then require the field', () => {
    expect(JSON.stringify(DOCUMENT.components.schemas)).not.to.include('"default":');
    for (const { path, method } of OPERATIONS) {
      const { requestBody = {} } = DOCUMENT.paths[path][method];
      expect(JSON.stringify(requestBody), path).not.to.include('"default":');
    }
    const { tips } = DOCUMENT.components.schemas.Order.properties;
    expect(tips.description).to.include('Absent: `"0"`.');
  });

  it('shows what an item of a batch is', () => {
    const { schema } = DOCUMENT.paths['/v1/orders'].post.requestBody.content['application/json'];
    expect(schema.properties.orders).to.deep.include({
      items: { $ref: '#/components/schemas/Order' },
      minItems: 1,
      maxItems: 250,
    });
  });

  describe('its examples', () => {
    let shop: Shop | undefined;
    let pixel: string | undefined;

    /** Events are taken for a month only: those of the examples are sent as of today. */
    const happeningNow = (body: unknown): unknown => {
      const { events } = body as { events: object[] };
      return { events: events.map((event) => ({ ...event, ts: new Date().toISOString() })) };
    };

    const send = async (operation: Operation, example: Example) => {
      shop ??= { id: 'shop-of-examples', key: await service.key('shop-of-examples'), call: () => expect.fail() };
      pixel ??= await service.key(shop.id, 'pixel');
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => example.path?.[name] ?? '');
      const query = new URLSearchParams(example.query).toString();
      return service.call(operation.method.toUpperCase(), query === '' ? path : `${path}?${query}`, {
        key: operation.scope === null ? undefined : operation.scope === 'collect' ? pixel : shop.key,
        body: operation.scope === 'collect' ? happeningNow(example.body) : example.body,
        ...(example.accept !== undefined && { headers: { Accept: example.accept } }),
      });
    };

    for (const operation of OPERATIONS) {
      for (const example of operation.examples) {
        it(`${operation.id}: ${example.summary}`, async () => {
          const answer = await send(operation, example);
          expect(answer.status).to.equal(example.status);
          expect(timeless(answer.body === '' ? undefined : answer.body)).to.deep.equal(timeless(example.response));
          if (operation.method !== 'get') await service.settled();
        });
      }
    }
  });
});
