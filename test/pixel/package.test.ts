import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { buildPixel } from '../browser/support/collector.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

describe('pixel: the package outside a browser', () => {
  const folder = temporaryFolder('storefront');

  before(async () => {
    const installed = join(folder, 'node_modules/@profit-metrics/pixel');
    await mkdir(installed, { recursive: true });
    await buildPixel(join(installed, 'dist'));
    await run(process.execPath, [tsc, '-p', join(root, 'pixel'), '--outDir', join(installed, 'dist')]);
    await cp(join(root, 'pixel/package.json'), join(installed, 'package.json'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022'],
      types: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  });

  it('is imported without a trace, and then does nothing', async () => {
    await writeFile(
      join(folder, 'server.js'),
      `const before = Reflect.ownKeys(globalThis).length;
       const pixel = await import('@profit-metrics/pixel');
       const made = pixel.createPixel({ token: 't', endpoint: 'http://127.0.0.1:1/v1/collect' });
       made.consent({ analytics: true, marketing: true });
       made.track('page_view'); made.purchase({ order_id: '1' }); made.identify('ann@example.com');
       console.log(JSON.stringify({ exported: Object.keys(pixel), calls: Object.keys(made).sort(),
         globals: Reflect.ownKeys(globalThis).length - before, open: process.getActiveResourcesInfo()
           .filter((name) => !/^(Pipe|TTY|FSReq|CloseReq|Filehandle|File)/i.test(name)) }));`,
    );
    const { stdout, stderr } = await run(process.execPath, [join(folder, 'server.js')], { timeout: 60_000 });
    expect(JSON.parse(stdout)).to.deep.equal({
      exported: ['createPixel'],
      calls: ['consent', 'identify', 'purchase', 'track'],
      globals: 0,
      open: [],
    });
    expect(stderr).to.equal('');
  });

  const compile = async (code: string): Promise<string> => {
    await writeFile(join(folder, 'app.ts'), code);
    return run(process.execPath, [tsc, '-p', folder]).then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    );
  };

  it('has types that a strict project without DOM types accepts', async () => {
    const errors = await compile(`
      import { createPixel, type Pixel, type EventProps } from '@profit-metrics/pixel';
      const props: EventProps = { sku: 'A', quantity: 2 };
      const pixel: Pixel = createPixel({ token: 't', endpoint: 'https://e/v1/collect', region: undefined });
      pixel.consent({ analytics: true }); pixel.track('add_to_cart', props); pixel.track('page_view');
      pixel.purchase({ order_id: 7 }); pixel.identify('ann@example.com');`);
    expect(errors).to.equal('');
  });

  it('has types that refuse money, unknown events and a missing token', async () => {
    const errors = await compile(`
      import { createPixel } from '@profit-metrics/pixel';
      const pixel = createPixel({ endpoint: 'https://e/v1/collect' });
      pixel.track('add_to_cart', { price: '9.99' });
      pixel.track('refund');
      pixel.purchase({ total: '9.99' });`);
    expect(errors.match(/error TS/g)).to.have.length(4);
  });
});
