import { Command, InvalidArgumentError, Option } from 'commander';
import type { Decisions } from '../../domain/csv/amounts.js';
import { parseDay } from '../../domain/time.js';
import { canonicalTimeZone } from '../../domain/zones/time-zone.js';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { runImportOrderCosts } from '../import/import-order-costs.js';
import { runImportRates } from '../import/import-rates.js';
import { runImportSpend } from '../import/import-spend.js';
import { runImportOrders, type ImportOptions } from '../import/import-orders.js';
import { conversionOptions, type ConversionFlags } from '../import/platform/conversion-flags.js';
import { runDryRun } from '../import/platform/dry-run.js';
import type { Platform } from '../import/platform/file-kind.js';
import { keyOption, requireKey } from '../key-option.js';
import { serviceUrl } from '../with-stores.js';
import { withConversionFlags } from './platform-options.js';

interface ImportFlags {
  url?: string;
  key?: string;
  restart?: boolean;
  keepGoing?: boolean;
}

interface PlatformFlags extends ImportFlags, ConversionFlags {
  dryRun?: boolean;
  timezone?: string;
}

/** The command `profit import …`. */
export function importCommand(): Command {
  const command = new Command('import').description('push a history through the API');
  withSendingFlags(command.command('orders <file>'))
    .summary('push orders, one JSON object a line')
    .description(
      'NDJSON, one order a line, optionally gzipped; - reads standard input. Exit: 0 all taken, 2 some rejected, 1 stopped',
    )
    .option('--keep-going', 'send the rest although none of the first lines is taken')
    .addHelpText('after', examples('import orders orders.ndjson.gz', 'import orders - < orders.ndjson'))
    .action((file: string, flags: ImportFlags) => runImport(file, flags));
  for (const platform of ['shopify', 'woocommerce'] satisfies Platform[]) {
    withConversionFlags(withSendingFlags(command.command(`${platform} <file>`)))
      .summary(`push the orders of an export of ${platform === 'shopify' ? 'Shopify' : 'WooCommerce'}`)
      .description(
        `${platform === 'shopify' ? 'JSON of any API, bulk JSONL or the CSV export' : 'JSON, orders with their refunds'}, optionally gzipped; - reads standard input. Orders that can't be converted go to FILE.held.ndjson. Exit: 0 all taken, 2 some held back or rejected, 1 stopped`,
      )
      .option('--dry-run', 'show by month what would be sent; needs no service')
      .option('--timezone <zone>', 'with --dry-run: whose months; as the platform writes them when absent')
      .addHelpText('after', examples(`import ${platform} orders.json --dry-run`, `import ${platform} orders.json.gz`))
      .action(async (file: string, { dryRun, timezone, ...flags }: PlatformFlags) => {
        const conversion = conversionOptions(flags);
        if (dryRun !== true) return runImport(file, flags, { platform, conversion });
        const { stdin, stdout, stderr } = process;
        const signal = untilInterrupted();
        const zone = timezone === undefined ? {} : { timezone: knownZone(timezone) };
        process.exitCode = await runDryRun({ file, platform, conversion, stdin, stdout, stderr, signal, ...zone });
      });
  }
  command
    .command('order-costs <file>')
    .summary('push costs of orders')
    .description(
      'CSV with a header: order_id, and fulfillment_cost or gateway_fee or both; an empty cell leaves a cost as it is, null takes it back. Optionally gzipped; - reads standard input. Exit: 0 all taken, 2 some rejected, 1 stopped',
    )
    .option('--url <url>', 'address of the service; the running one when absent')
    .addOption(keyOption('secret key with scope costs:write'))
    .addHelpText('after', examples('import order-costs carrier.csv', 'import order-costs - < fees.csv'))
    .action(async (file: string, { url, key }: Pick<ImportFlags, 'url' | 'key'>) => {
      const { stdin, stdout, stderr } = process;
      const streams = { stdin, stdout, stderr, signal: untilInterrupted() };
      process.exitCode = await runImportOrderCosts({ file, url: serviceUrl(url), key: requireKey(key), ...streams });
    });
  command
    .command('rates <file>')
    .summary('push exchange rates of the European Central Bank')
    .description(
      'eurofxref-hist.csv as it is, zipped or not; rates are crossed over the euro into the currency of the shop. - reads standard input. Exit: 0 all taken, 2 some rejected, 1 stopped',
    )
    .option('--url <url>', 'address of the service; the running one when absent')
    .addOption(keyOption('secret key with scopes costs:write and read'))
    .addOption(new Option('--from <day>', 'the first day whose rates are sent; all when absent').argParser(knownDay))
    .addHelpText(
      'after',
      examples('import rates eurofxref-hist.zip', 'import rates eurofxref-hist.zip --from 2026-01-01'),
    )
    .action(async (file: string, { url, key, from }: Pick<ImportFlags, 'url' | 'key'> & { from?: string }) => {
      const { stdin, stdout, stderr } = process;
      const streams = { stdin, stdout, stderr, signal: untilInterrupted() };
      process.exitCode = await runImportRates({ file, from, url: serviceUrl(url), key: requireKey(key), ...streams });
    });
  command
    .command('spend <file>')
    .summary('push ad spend, also from exports of Meta, Google, TikTok and Pinterest')
    .description(
      'CSV: an export by day as the network gives it, or columns event_date, channel, spend, currency and others of the API. Shows how it is read. Optionally gzipped; - reads standard input. Exit: 0 all taken, 2 some rejected, 1 stopped',
    )
    .option('--url <url>', 'address of the service; the running one when absent')
    .addOption(keyOption('secret key with scope costs:write'))
    .option('--dry-run', 'show how the file is read, and send nothing')
    .option('--currency <code>', 'of an export that names none')
    .addOption(
      new Option('--decimal <mark>', 'what 1,234 means: 1.234 with comma, 1234 with point').choices(['comma', 'point']),
    )
    .addHelpText('after', examples('import spend meta.csv --dry-run', 'import spend meta.csv'))
    .action(async (file: string, { url, key, dryRun = false, currency, decimal }: SpendFlags) => {
      const { stdin, stdout, stderr } = process;
      process.exitCode = await runImportSpend({
        file,
        dryRun,
        currency,
        decisions: decisionsOf(decimal),
        url: dryRun ? '' : serviceUrl(url),
        key: dryRun ? '' : requireKey(key),
        stdin,
        stdout,
        stderr,
        signal: untilInterrupted(),
      });
    });
  return command;
}

interface SpendFlags extends Pick<ImportFlags, 'url' | 'key'> {
  dryRun?: boolean;
  currency?: string;
  decimal?: 'comma' | 'point';
}

function decisionsOf(decimal: SpendFlags['decimal']): Decisions {
  if (decimal === undefined) return {};
  return decimal === 'comma' ? { ',': 'decimal', '.': 'group' } : { ',': 'group', '.': 'decimal' };
}

function withSendingFlags(command: Command): Command {
  return command
    .option('--url <url>', 'address of the service; the running one when absent')
    .addOption(keyOption('secret key with scope orders:write'))
    .option('--restart', 'begin at the first line, whatever an earlier run did');
}

async function runImport(file: string, flags: ImportFlags, given?: ImportOptions['export']): Promise<void> {
  const { url, key, ...more } = flags;
  const { stdin, stdout, stderr } = process;
  const summary = await runImportOrders({
    ...more,
    file,
    ...(given !== undefined && { export: given }),
    key: requireKey(key),
    stdin,
    stdout,
    stderr,
    signal: untilInterrupted(),
    url: serviceUrl(url),
  });
  process.exitCode = summary.exitCode;
}

function knownDay(text: string): string {
  if (parseDay(text) === null) throw new InvalidArgumentError('It must be a day such as 2026-01-01.');
  return text;
}

function knownZone(name: string): string {
  const zone = canonicalTimeZone(name);
  if (zone === null) throw new RangeError(`--timezone takes a name such as Europe/Berlin; "${name}" is none`);
  return zone;
}
