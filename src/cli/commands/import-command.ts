import { Command } from 'commander';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { runImportOrders } from '../import/import-orders.js';
import { keyOption, requireKey } from '../key-option.js';
import { serviceUrl } from '../with-stores.js';

interface ImportFlags {
  url?: string;
  key?: string;
  concurrency: string;
  batchSize: string;
  gzip?: boolean;
  restart?: boolean;
  validateOnly?: boolean;
  keepGoing?: boolean;
}

/** The command `profit import …`. */
export function importCommand(): Command {
  const command = new Command('import').description('push a history through the API');
  command
    .command('orders <file>')
    .summary('push orders, one JSON object a line')
    .description(
      'NDJSON, one order a line, optionally gzipped; - reads standard input. Exit: 0 all taken, 2 some rejected, 1 stopped',
    )
    .option('--url <url>', 'address of the service; the running one when absent')
    .addOption(keyOption('secret key with scope orders:write'))
    .option('--concurrency <n>', 'batches in flight', '4')
    .option('--batch-size <n>', 'orders a batch', '250')
    .option('--gzip', 'compress requests')
    .option('--restart', 'begin at the first line, whatever an earlier run did')
    .option('--validate-only', 'check only, store nothing')
    .option('--keep-going', 'send the rest although none of the first lines is taken')
    .addHelpText(
      'after',
      examples(
        'import orders orders.ndjson.gz',
        'import orders orders.ndjson --validate-only',
        'import orders - < orders.ndjson',
      ),
    )
    .action(async (file: string, { url, key, concurrency, batchSize, ...flags }: ImportFlags) => {
      const { stdin, stdout, stderr } = process;
      const summary = await runImportOrders({
        ...flags,
        file,
        key: requireKey(key),
        stdin,
        stdout,
        stderr,
        signal: untilInterrupted(),
        url: serviceUrl(url),
        concurrency: Number(concurrency),
        batchSize: Number(batchSize),
      });
      process.exitCode = summary.exitCode;
    });
  return command;
}
