import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { buildPixel, TOKEN } from './support/collector.js';
import { batchErrors } from './support/event-schema.js';
import { digested, TELLS_DIGEST, useShop } from './support/shop.js';

const MANIFEST = fileURLToPath(new URL('../../pixel/package.json', import.meta.url));

describe('pixel: package for headless storefronts', () => {
  const open = useShop();
  let folder: string;

  /** A storefront's own code, bundled with the package as its package manager would have installed it. */
  const bundle = async (code: string): Promise<string> => {
    await writeFile(join(folder, 'app.js'), code);
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'app.js')],
      bundle: true,
      format: 'esm',
      write: false,
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storefront-'));
    const installed = join(folder, 'node_modules/@profit-metrics/pixel');
    await mkdir(installed, { recursive: true });
    await buildPixel(join(installed, 'dist'));
    await cp(MANIFEST, join(installed, 'package.json'));
  });
  after(() => rm(folder, { recursive: true }));

  const app = (options = ''): string => `
    import { createPixel } from '@profit-metrics/pixel';
    const options = { token: '${TOKEN}', endpoint: 'ENDPOINT', ${options} };
    window.pixel = createPixel(options);
    window.same = createPixel(options) === window.pixel;
  `;

  it('has the calls of the script, with one core', async () => {
    const code = await bundle(app(`region: 'DE', storeClientId: 'client-1'`));
    const { visit, page, leave, collector } = await open({
      tag: `<script type="module">${code}</script>`,
      init: TELLS_DIGEST,
    });
    await visit('/a');
    await page.evaluate(`pixel.consent({ analytics: true, marketing: true });
      pixel.track('add_to_cart', { sku: 'A', quantity: '1.5' });
      pixel.purchase({ checkout_token: 'chk' });
      pixel.identify('ann@example.com')`);
    await page.evaluate(`history.pushState({}, '', '/b')`);
    await digested(page);
    const events = await leave();
    expect(events.map(({ type }) => type).sort()).to.deep.equal([
      'add_to_cart',
      'identify',
      'page_view',
      'page_view',
      'purchase',
    ]);
    expect(events.every(({ store_client_id }) => store_client_id === 'client-1')).to.equal(true);
    expect(collector.batches().flatMap(({ body }) => batchErrors(body))).to.deep.equal([]);
  });

  it('is one pixel however often it is created, and with the script tag beside it', async () => {
    const code = await bundle(app());
    const { visit, page, leave } = await open({ tag: `TAG<script type="module">${code}</script>` });
    await visit();
    expect(await page.evaluate('[same, typeof pixel.track]')).to.deep.equal([true, 'function']);
    expect(await leave()).to.have.length(1);
  });

  it('starts with the consent that it is given', async () => {
    const code = await bundle(app(`consent: { analytics: false }`));
    const { visit, page, stored, leave } = await open({ tag: `<script type="module">${code}</script>` });
    await visit();
    expect(await page.evaluate('same')).to.equal(true);
    expect((await stored()).local).to.deep.equal(['profit_consent']);
    expect(await leave()).to.deep.equal([]);
  });

  it('leaves nothing in a bundle that does not use it', async () => {
    const code = await bundle(`import { createPixel } from '@profit-metrics/pixel'; console.log('shop')`);
    expect(code).not.to.match(/profit/);
  });
});
