import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import openapi, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { DOCUMENT } from '../support/document.js';

const ORDER = `{
  order_id: '1', placed_at: '2026-03-01T12:00:00Z', currency: 'EUR', status: 'paid', total: '10.00',
  line_items: [{ line_id: '1', quantity: '1', unit_price: '10.00' }],
}`;

const PROGRAM = `import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1', headers: { authorization: 'Bearer sk_svc_x' } });

export async function push(): Promise<string | undefined> {
  const { data, error } = await client.POST('/v1/orders', { body: { orders: [ORDER] } });
  if (error !== undefined) throw new Error(error.errors.map(({ code, message }) => code + message).join());
  return data.receipt;
}

export async function revenue(): Promise<string | undefined> {
  const query = { from: '2026-03-01', to: '2026-03-31', include: ['statement' as const] };
  const { data } = await client.GET('/v1/metrics', { params: { query } });
  return data?.revenue;
}
`;

describe('a client generated from the OpenAPI document by openapi-typescript', function () {
  this.timeout(120_000);
  // Within the project, where the compiler finds its packages.
  const folder = mkdtempSync(join(import.meta.dirname, 'generated-client-'));
  after(() => rmSync(folder, { recursive: true }));

  /** What the compiler finds wrong with a program for each of these orders. */
  function faultsOf(orders: Readonly<Record<string, string>>): Record<string, number> {
    const files = Object.keys(orders).map((name) => join(folder, `${name}.ts`));
    Object.values(orders).forEach((order, i) => writeFileSync(files[i] ?? '', PROGRAM.replace('ORDER', order)));
    const program = ts.createProgram(files, {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
    });
    const faults = ts.getPreEmitDiagnostics(program).map(({ file }) => basename(file?.fileName ?? '', '.ts'));
    return Object.fromEntries(Object.keys(orders).map((name) => [name, faults.filter((one) => one === name).length]));
  }

  it('compiles a minimal order for openapi-fetch under strict rules, and refuses what the service would refuse', async () => {
    writeFileSync(join(folder, 'api.ts'), astToString(await openapi(DOCUMENT)));
    const orders = {
      minimal: ORDER,
      withoutCurrency: ORDER.replace("currency: 'EUR', ", ''),
      withNumber: ORDER.replace("'10.00',", '10,'),
    };
    expect(faultsOf(orders)).to.deep.equal({ minimal: 0, withoutCurrency: 1, withNumber: 1 });
  });
});
