import { Command } from 'commander';
import { examples } from '../help.js';
import { conversionOptions, type ConversionFlags } from '../import/platform/conversion-flags.js';
import type { Platform } from '../import/platform/file-kind.js';
import { runConvert } from '../import/platform/run-convert.js';
import { untilInterrupted } from '../interrupt.js';
import { withConversionFlags } from './platform-options.js';

/** The command `profit convert …`. */
export function convertCommand(): Command {
  const command = new Command('convert')
    .description("turn a platform's orders into items of POST /v1/orders, one a line on standard output")
    .addHelpText(
      'after',
      examples('convert shopify orders.csv > orders.ndjson', 'convert woocommerce - < orders.json'),
    );
  for (const platform of ['shopify', 'woocommerce'] satisfies Platform[]) {
    const forms =
      platform === 'shopify' ? 'JSON of any API, bulk JSONL or the CSV export' : 'JSON, orders with their refunds';
    withConversionFlags(
      command
        .command(`${platform} <file>`)
        .description(
          `${forms}; optionally gzipped; - reads standard input. Holds and notes go to standard error. Exit: 0 all converted, 2 some held back, 1 unreadable`,
        ),
    ).action(async (file: string, flags: ConversionFlags) => {
      const { stdin, stdout, stderr } = process;
      const conversion = conversionOptions(flags);
      const signal = untilInterrupted();
      process.exitCode = await runConvert({ file, platform, conversion, stdin, stdout, stderr, signal });
    });
  }
  return command;
}
