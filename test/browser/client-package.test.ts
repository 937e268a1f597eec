import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { fieldsOf } from '../../src/domain/fields.js';
import { casesOf } from '../convert/cases.js';
import { refusal, startOrderServer, type Instead } from '../cli/import/order-server.js';
import { useService } from '../support/service.js';
import { openPage } from './support/browser.js';

const dist = (name: string): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));

const isCounted = ({ status, is_test }: Record<string, unknown>): boolean => status === 'paid' && is_test !== true;

/** What a store's own code does, in any runtime. */
async function store(
  where: { modules: string; url: string; key: string },
  given: { shopify: unknown[]; woo: unknown[] },
) {
  const { convertShopify, convertWooCommerce } = await import(`${where.modules}/convert.mjs`);
  const { createClient } = await import(`${where.modules}/client.mjs`);
  const conversions = [
    ...given.shopify.map((order) => convertShopify(order)),
    ...given.woo.map((order) => convertWooCommerce(order)),
  ];
  const orders = conversions.flatMap((one: { order?: unknown }) => (one.order === undefined ? [] : [one.order]));
  const client = createClient(where);
  const { accepted, results, receipt } = await client.pushOrders(orders);
  await client.wait(receipt);
  const read = (await client.request('GET', '/v1/metrics?from=2026-03-01&to=2026-05-31')) as { orders: number };
  const foreign = await client.wait('none').catch(({ name, code }: Record<string, unknown>) => ({ name, code }));
  const refused = await createClient({ ...where, key: 'sk_svc_none' })
    .pushOrders(orders)
    .catch(({ name, status, code }: Record<string, unknown>) => ({
      name,
      status,
      code,
    }));
  const deleted = await client.deleteOrder((orders[0] as { order_id: string }).order_id);
  await client.wait(deleted.receipt);
  const gone = await client.deleteOrder('none').catch(({ status }: Record<string, unknown>) => status);
  return {
    gone,
    conversions,
    accepted,
    results,
    refused,
    counted: read.orders,
    foreign,
    hasReceipt: typeof receipt === 'string',
  };
}

describe('dist/convert.mjs and dist/client.mjs', function () {
  this.timeout(240_000);
  const service = useService();

  const shopify = casesOf('shopify').filter(({ input }) => input.order !== undefined);
  const woo = casesOf('woocommerce').filter(({ input }) => input.options === undefined);
  const given = {
    shopify: shopify.map(({ input }) => input.order),
    woo: woo.map(({ input: { order, refunds } }) => ({ order, refunds })),
  };
  const expected = [...shopify, ...woo].map((one) => one.expected);

  it('convert and push the same in Node and in Chromium', async () => {
    const inNode = await store(
      {
        modules: fileURLToPath(new URL('../../dist', import.meta.url)),
        url: service.url,
        key: (await service.shop()).key,
      },
      given,
    );
    for (const [i, one] of expected.entries()) {
      const found = inNode.conversions[i];
      if ('reason' in one) expect(found.hold.code).to.equal(one.reason);
      else
        expect(found).to.deep.equal({
          order: one.order,
          notes: one.notes ?? [],
        });
    }
    const orders = expected.filter((one) => 'order' in one).length;
    expect(inNode).to.deep.include({
      accepted: orders,
      counted: expected.map((one) => fieldsOf('order' in one && one.order)).filter(isCounted).length,
      foreign: { name: 'ProfitApiError', code: 'invalid_value' },
      hasReceipt: true,
      gone: 404,
      refused: { name: 'ProfitApiError', status: 401, code: 'unauthorized' },
    });

    const { page, context, errors } = await openPage();
    await page.route(`${service.url}/package/*`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice('/package/'.length);
      if (name === 'index.html')
        return route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html>',
        });
      return route.fulfill({
        contentType: 'text/javascript',
        body: readFileSync(dist(name), 'utf8'),
      });
    });
    await page.goto(`${service.url}/package/index.html`);
    const where = {
      modules: `${service.url}/package`,
      url: service.url,
      key: (await service.shop()).key,
    };
    const code = `(${store.toString()})(${JSON.stringify(where)}, ${JSON.stringify(given)})`;
    expect(await page.evaluate(code)).to.deep.equal(inNode);
    expect(errors).to.deep.equal([]);
    await context.close();
  });

  it('waits as long as Retry-After says, gives up by a typed error, and cuts pushes into batches', async () => {
    const instead = ({ index }: { index: number }): Instead =>
      index === 1 ? refusal(503, 'queue_unavailable', 'Busy.', { 'retry-after': '1' }) : undefined;
    const server = await startOrderServer(instead);
    try {
      const { createClient } = await import('../../src/client/index.js');
      const order = {
        placed_at: '2026-03-01T00:00:00Z',
        currency: 'EUR',
        status: 'paid',
        line_items: [],
        total: '0',
      } as const;
      const orders = Array.from({ length: 600 }, (_, i) => ({
        ...order,
        line_items: [],
        order_id: `o${i}`,
      }));
      const startedAt = Date.now();
      const pushed = await createClient({
        url: server.url,
        key: 'k',
      }).pushOrders(orders);
      expect(Date.now() - startedAt).to.be.at.least(1_000);
      expect(pushed).to.include({ accepted: 600, rejected: 0, superseded: 0 });
      expect(pushed.results.map(({ order_id }) => order_id)).to.deep.equal(orders.map(({ order_id }) => order_id));
      expect(server.seen.map((request) => request.orders.length)).to.deep.equal([250, 250, 250, 100]);
    } finally {
      await server.close();
    }
    const { createClient } = await import('../../src/client/index.js');
    const gone = await createClient({
      url: server.url,
      key: 'k',
      retryForMs: 300,
    })
      .request('GET', '/v1/source')
      .catch((error: unknown) => error);
    expect(gone).to.include({ name: 'ProfitUnavailableError' });
  });

  it('waits for the figures until its bound, then ends by a typed error', async () => {
    const left = [null, 3, 0];
    const server = await startOrderServer(({ path }) => {
      if (path.endsWith('busy')) return refusal(503, 'store_unavailable', 'Busy.', { 'retry-after': '1' });
      return { status: 200, body: { pushes: [], days_left: path.endsWith('r1') ? left.shift() : 7 } };
    });
    try {
      const { createClient } = await import('../../src/client/index.js');
      const client = createClient({ url: server.url, key: 'k' });
      await client.wait('r1');
      expect(server.seen).to.have.length(3);
      const over = (receipt: string) =>
        client.wait(receipt, { timeoutMs: 1_500 }).catch((error: unknown) => error as Record<string, unknown>);
      expect(await over('r2')).to.include({ name: 'ProfitNotFreshError', receipt: 'r2', daysLeft: 7 });
      expect(await over('busy')).to.include({ name: 'ProfitUnavailableError' });
      // A question a second, for a second and a half each.
      expect(server.seen.length).to.be.within(3 + 2, 3 + 4);
    } finally {
      await server.close();
    }
  });

  it('have no dependencies, and types that are those of their sources', () => {
    for (const name of ['convert.mjs', 'client.mjs']) {
      expect(readFileSync(dist(name), 'utf8')).not.to.match(/\bimport\s*[({"'*]|\brequire\(|from\s+["']/);
    }
    const code = `
      import * as convert from 'profit-metrics/convert';
      import * as client from 'profit-metrics/client';
      import type * as convertSource from '../../src/convert/index.js';
      import type * as clientSource from '../../src/client/index.js';
      declare const ofConvert: typeof convertSource;
      declare const ofClient: typeof clientSource;
      const order: client.Order = {
        order_id: '1', placed_at: '2026-03-01T00:00:00Z', currency: 'EUR', status: 'paid', total: '10',
        line_items: [{ line_id: '1', quantity: '1', unit_price: '10' }],
      };
      export const shown: Omit<typeof convert, 'NOTES'> = ofConvert;
      export const hidden: (options: client.ClientOptions) => client.Client = ofClient.createClient;
      export const pushed = client.createClient({ url: 'http://localhost', key: 'k' }).pushOrders([order]);
      const one = convert.convertShopify({});
      export const total: string = 'order' in one ? one.order.total : one.hold.code;
      // @ts-expect-error -- a total is a string
      export const wrong: client.Order = { ...order, total: 10 };
    `;
    expect(faultsIn(code)).to.deep.equal([]);
  });
});

/** What the compiler finds wrong with a file of this folder, under strict rules. */
function faultsIn(code: string): string[] {
  const file = fileURLToPath(new URL('typed.ts', import.meta.url));
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const real = { ...host };
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, code, ts.ScriptTarget.ES2023) : real.getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || real.fileExists(name);
  host.readFile = (name) => (name === file ? code : real.readFile(name));
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}
