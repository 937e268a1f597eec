import { Command } from 'commander';
import { keyRecord } from '../../domain/keys.js';
import { findTarget } from '../connect.js';
import { ownKey, runDemo, type LentKey } from '../demo/demo.js';
import { runShardsDemo } from '../demo/demo-shards.js';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { serviceUrl, withStores } from '../with-stores.js';
import { createKey } from './keys.js';
import { createSignInLink } from './sign-in.js';

/** Its own, so that no shop that somebody tries out or works with is touched. */
const DEMO_SHOP = 'online-retail';
/** The key expires, so that even a demo that was killed leaves no working key. */
const KEY_LIFE_MS = 60 * 60 * 1000;

/** The command `profit demo`. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('import a real month of a British online shop and print its profit by day')
    .option('--url <url>', 'address of the service; the running one when absent')
    .option('--key <key>', `secret key of a shop to use instead of "${DEMO_SHOP}"`)
    .option('--shards', 'start 2 shards of ClickHouse and 2 workers for it, and stop them at the end')
    .addHelpText('after', examples('demo', 'demo --shards'))
    .action(async ({ url: given, key, shards }: { url?: string; key?: string; shards?: boolean }) => {
      if (shards === true) {
        const { stdout, stderr } = process;
        const summary = await runShardsDemo({ shards: 2, workers: 2, stdout, stderr, signal: untilInterrupted() });
        process.exitCode = summary.exitCode;
        return;
      }
      const url = serviceUrl(given);
      const { stdout, stderr } = process;
      const summary = await runDemo({
        url,
        stdout,
        stderr,
        signal: untilInterrupted(),
        lendKey: key === undefined ? lendKey : ownKey(key),
        ...(key === undefined && { hints: (range: string) => overviewHint(url, range) }),
      });
      process.exitCode = summary.exitCode;
    });
}

/** A key for the length of the demo. */
async function lendKey(): Promise<LentKey> {
  const shop = DEMO_SHOP;
  const expires = new Date(Date.now() + KEY_LIFE_MS).toISOString();
  const key = await withStores((stores) => createKey(stores, { shop, kind: 'secret', expires }));
  const { keyId } = keyRecord({ key, shopId: shop, kind: 'secret' }, Date.now());
  const giveBack = async (): Promise<void> => {
    await withStores((stores) => stores.keys.revoke(keyId));
  };
  return { key, giveBack };
}

/** A link to the days of the table, where the admin token is known here. */
async function overviewHint(url: string, range: string): Promise<string[]> {
  const page = `/shop/${DEMO_SHOP}?${range}`;
  const link = await createSignInLink(findTarget().config, url, page).catch(() => undefined);
  return link === undefined ? [] : [`${link}\n    is this month in the app (the link signs in once)`];
}
