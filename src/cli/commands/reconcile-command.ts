import { Command } from 'commander';
import { examples } from '../help.js';
import { conversionOptions, type ConversionFlags } from '../import/platform/conversion-flags.js';
import { untilInterrupted } from '../interrupt.js';
import { runReconcile } from '../reconcile/run-reconcile.js';
import { keyOption, requireKey } from '../key-option.js';
import { serviceUrl } from '../with-stores.js';
import { withConversionFlags } from './platform-options.js';

interface ReconcileFlags extends ConversionFlags {
  url?: string;
  key?: string;
  from?: string;
  to?: string;
}

/** The command `profit reconcile …`. */
export function reconcileCommand(): Command {
  return withConversionFlags(new Command('reconcile'))
    .argument('<file>')
    .summary("compare a store's own days or orders with the service")
    .description(
      'CSV with a header, NDJSON or an export of Shopify or WooCommerce, optionally gzipped; - reads standard input. Orders have order_id, updated_at, total, refunded; days have date, orders, revenue, refunds. Exit: 0 all equal, 2 differences, 1 stopped',
    )
    .option('--url <url>', 'address of the service; the running one when absent')
    .addOption(keyOption('key with scope read'))
    .option('--from <day>', 'with --to: the file holds all orders of these days')
    .option('--to <day>', 'last of these days')
    .addHelpText(
      'after',
      examples('reconcile orders.csv --from 2026-03-01 --to 2026-03-31', 'reconcile - < orders.ndjson'),
    )
    .action(async (file: string, { url, key, from, to, ...flags }: ReconcileFlags) => {
      if ((from === undefined) !== (to === undefined)) throw new RangeError('--from and --to go together');
      const { stdin, stdout, stderr } = process;
      const { exitCode } = await runReconcile({
        file,
        key: requireKey(key),
        stdin,
        stdout,
        stderr,
        url: serviceUrl(url),
        conversion: conversionOptions(flags),
        signal: untilInterrupted(),
        ...(from !== undefined && to !== undefined && { completeFor: { from, to } }),
      });
      process.exitCode = exitCode;
    });
}
