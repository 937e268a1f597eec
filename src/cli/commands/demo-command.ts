import { Command, Option } from 'commander';
import { findTarget } from '../connect.js';
import { runDemo } from '../demo/demo.js';
import { runSampleDemo } from '../demo/sample-demo.js';
import { runShardsDemo } from '../demo/demo-shards.js';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { renewKey } from '../../sample/renew-key.js';
import { SAMPLE_SHOP } from '../../sample/sample-shop.js';
import { serviceUrl, withProducer, withStores } from '../with-stores.js';
import { createSignInLink } from './sign-in.js';

/** Its own, so that no shop that somebody tries out or works with is touched. */
const DEMO_SHOP = 'online-retail';
const DEMO_KEY = { name: 'Demo', kind: 'secret' } as const;

interface DemoFlags {
  url?: string;
  key?: string;
  shards?: boolean;
  sample?: boolean;
}

/** The command `profit demo`. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('import a real month of a British online shop and print its profit by day')
    .option('--url <url>', 'address of the service; the running one when absent')
    .option('--key <key>', `secret key of a shop to use instead of "${DEMO_SHOP}"`)
    .option('--shards', 'start 2 shards of ClickHouse and 2 workers for it, and stop them at the end')
    .addOption(
      new Option('--sample', `the sample shop of the app instead, "${SAMPLE_SHOP}": 90 days with visits`).conflicts([
        'key',
        'shards',
      ]),
    )
    .addHelpText('after', examples('demo', 'demo --sample', 'demo --shards'))
    .action(async ({ url: given, key, shards, sample }: DemoFlags) => {
      const { stdout } = process;
      if (shards === true) {
        const summary = await runShardsDemo({ shards: 2, workers: 2, stdout, signal: untilInterrupted() });
        process.exitCode = summary.exitCode;
        return;
      }
      const url = serviceUrl(given);
      if (sample === true) {
        await withStores(({ keys, sources, shards: { of: shardOf }, now }) =>
          withProducer('events', ({ producer }) =>
            runSampleDemo({
              url,
              keys,
              sources,
              shardOf,
              now,
              producer,
              stdout,
              signal: untilInterrupted(),
              hints: (range) => overviewHint(url, SAMPLE_SHOP, range),
            }),
          ),
        );
        return;
      }
      const summary = await runDemo({
        url,
        stdout,
        signal: untilInterrupted(),
        key: key ?? (await withStores(({ keys, now }) => renewKey(keys, { shopId: DEMO_SHOP, ...DEMO_KEY }, now()))),
        ...(key === undefined && { hints: (range: string) => overviewHint(url, DEMO_SHOP, range) }),
      });
      process.exitCode = summary.exitCode;
    });
}

/** A link to the days of the table, where the admin token is known here. */
async function overviewHint(url: string, shop: string, range: string): Promise<string[]> {
  const page = `/shop/${shop}?${range}`;
  const link = await createSignInLink(findTarget().config, url, page).catch(() => undefined);
  return link === undefined ? [] : [`${link}\n    shows these days in the app (the link signs in once)`];
}
