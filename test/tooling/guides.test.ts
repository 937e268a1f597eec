import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { marked, type Token } from 'marked';
import { GUIDES, readGuide } from '../../src/http/pages/docs-site.js';
import { withFolder } from '../embedded/processes.js';
import { listening, type Listening } from '../support/listening.js';
import { shopifyShop, WOO_KEY, wooOrders, wooShop } from '../support/platform-shops.js';
import { useService } from '../support/service.js';

const run = promisify(execFile);
const COPIED = ['client.mjs', 'client.d.mts', 'convert.mjs', 'wire.d.mts'];
const isCode = (token: Token): token is Token & { type: 'code'; lang?: string; text: string } => token.type === 'code';

/** Whether a text is what a guide shows, where `…` is anything. */
function isShown(text: string, shown: string): boolean {
  const parts = shown
    .trim()
    .split('…')
    .map((part) =>
      part
        .trim()
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace(/\s+/g, '\\s+'),
    );
  return new RegExp(`^\\s*${parts.join('[^]*?')}\\s*$`).test(text);
}

describe('the guides', function () {
  this.timeout(600_000);
  const service = useService();
  let shopify: Listening;
  let woo: Listening;
  before(async () => {
    shopify = await listening(shopifyShop());
    woo = await listening(wooShop(wooOrders()));
  });
  after(() => Promise.all([shopify.stop(), woo.stop()]));

  /** Types what a guide says, block by block, into a folder that looks like that of the service. */
  async function follow(name: (typeof GUIDES)[number]): Promise<number> {
    const { id, key } = await service.shop({ timezone: 'Europe/Berlin', currency: 'EUR' });
    const env = {
      ...process.env,
      PROFIT_URL: service.url,
      PROFIT_KEY: key,
      PIXEL_TOKEN: await service.key(id, 'pixel'),
      SHOPIFY_URL: shopify.url,
      SHOPIFY_TOKEN: 'shpat_1',
      SHOPIFY_SECRET: 'shpss_1',
      WOO_URL: woo.url,
      ...WOO_KEY,
    };
    const tokens = marked.lexer(readGuide(name)).filter(isCode);
    let typed = 0;
    await withFolder(async (folder) => {
      for (const entry of readdirSync('.')) symlinkSync(resolve(entry), join(folder, entry));
      for (const file of COPIED) copyFileSync(`dist/${file}`, join(folder, file));
      for (const [i, { lang = '', text }] of tokens.entries()) {
        const [language = '', file] = lang.split(' ');
        if (file !== undefined) writeFileSync(join(folder, file), `${text}\n`);
        if (language !== 'sh') continue;
        typed++;
        const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', text], { cwd: folder, env });
        const next = tokens[i + 1];
        if (next?.lang !== 'output') continue;
        expect(isShown(stdout, next.text), `${name}: ${text}\nprints\n${stdout}\nand not\n${next.text}`).to.equal(true);
      }
    });
    return typed;
  }

  for (const name of GUIDES) {
    it(`${name}: has nothing but commands that work, and print what stands below them`, async () => {
      expect(await follow(name)).to.be.above(1);
    });
  }
});
