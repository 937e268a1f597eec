import { Command, Option } from 'commander';
import { keyRecord, type KeyKind } from '../../domain/keys.js';
import { findTarget } from '../connect.js';
import { ownKey, runDemo, type LentKey } from '../demo/demo.js';
import { runFullDemo } from '../demo/full-demo.js';
import { runShardsDemo } from '../demo/demo-shards.js';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { serviceUrl, withStores } from '../with-stores.js';
import { createKey } from './keys.js';
import { createSignInLink } from './sign-in.js';

/** Its own, so that no shop that somebody tries out or works with is touched. */
const DEMO_SHOP = 'online-retail';
const FULL_SHOP = 'tea-shop';
/** The key expires, so that even a demo that was killed leaves no working key. */
const KEY_LIFE_MS = 60 * 60 * 1000;

interface DemoFlags {
  url?: string;
  key?: string;
  shards?: boolean;
  full?: boolean;
}

/** The command `profit demo`. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('import a real month of a British online shop and print its profit by day')
    .option('--url <url>', 'address of the service; the running one when absent')
    .option('--key <key>', `secret key of a shop to use instead of "${DEMO_SHOP}"`)
    .option('--shards', 'start 2 shards of ClickHouse and 2 workers for it, and stop them at the end')
    .addOption(
      new Option(
        '--full',
        `a made-up shop instead, "${FULL_SHOP}", with taxes, packing, channels and visits`,
      ).conflicts(['key', 'shards']),
    )
    .addHelpText('after', examples('demo', 'demo --full', 'demo --shards'))
    .action(async ({ url: given, key, shards, full }: DemoFlags) => {
      const { stdout } = process;
      if (shards === true) {
        const summary = await runShardsDemo({ shards: 2, workers: 2, stdout, signal: untilInterrupted() });
        process.exitCode = summary.exitCode;
        return;
      }
      const url = serviceUrl(given);
      if (full === true) {
        const { exitCode } = await runFullDemo({
          url,
          stdout,
          signal: untilInterrupted(),
          now: Date.now(),
          lendKey: (kind) => lendKey(FULL_SHOP, kind),
          hints: (range) => overviewHint(url, FULL_SHOP, range),
        });
        process.exitCode = exitCode;
        return;
      }
      const summary = await runDemo({
        url,
        stdout,
        signal: untilInterrupted(),
        lendKey: key === undefined ? () => lendKey(DEMO_SHOP, 'secret') : ownKey(key),
        ...(key === undefined && { hints: (range: string) => overviewHint(url, DEMO_SHOP, range) }),
      });
      process.exitCode = summary.exitCode;
    });
}

/** A key for the length of the demo. */
async function lendKey(shop: string, kind: KeyKind): Promise<LentKey> {
  const expires = new Date(Date.now() + KEY_LIFE_MS).toISOString();
  const key = await withStores((stores) => createKey(stores, { shop, kind, expires }));
  const { keyId } = keyRecord({ key, shopId: shop, kind }, Date.now());
  const giveBack = async (): Promise<void> => {
    await withStores((stores) => stores.keys.revoke(keyId));
  };
  return { key, giveBack };
}

/** A link to the days of the table, where the admin token is known here. */
async function overviewHint(url: string, shop: string, range: string): Promise<string[]> {
  const page = `/shop/${shop}?${range}`;
  const link = await createSignInLink(findTarget().config, url, page).catch(() => undefined);
  return link === undefined ? [] : [`${link}\n    shows these days in the app (the link signs in once)`];
}
