import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { queueConnection } from '../queue/connection.js';
import { createProducer, type Producer } from '../queue/producer.js';
import { QUEUES, type QueueName } from '../queue/jobs.js';
import { openStores, type Stores } from '../stores.js';
import { biCommand } from './bi-command.js';
import { findTarget, NotRunningError, requireTarget } from './connect.js';
import { runDemo } from './demo.js';
import { runImportOrders } from './import-orders.js';
import { createKey, importKey, listKeys, type KeyOptions } from './keys.js';
import { runMigrate } from './migrate.js';
import { runConvertOnlineRetail } from './online-retail.js';
import { runRebuild } from './rollups.js';
import { createSignInLink } from './sign-in.js';

/** `npm run --silent profit -- COMMAND`: every command works beside a running service. */
const { stdin, stdout, stderr } = process;
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());
const { signal } = interrupted;

async function withStores<T>(use: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = openStores(requireTarget().config);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

async function withProducer<T>(use: (producer: Producer) => Promise<T>): Promise<T> {
  const connection = queueConnection(requireTarget().config.redisUrl ?? '', { failFast: false });
  const producer = createProducer(connection);
  try {
    return await use(producer);
  } finally {
    await producer.close();
    connection.disconnect();
  }
}

function serviceUrl(given: string | undefined): string {
  const { url, config } = findTarget();
  const found = given ?? url;
  if (found === undefined) throw new NotRunningError(config.dataDir);
  return found;
}

const print = (line: string): void => void stdout.write(`${line}\n`);
const program = new Command('profit').description('Command line of the profit metrics service');

const keys = program.command('keys').description('API keys: only their hash is stored');
const shopOption = new Option('--shop <id>', 'shop that the key belongs to').makeOptionMandatory();
const kindOption = new Option('--kind <kind>', 'secret, publishable or pixel').makeOptionMandatory();
const keyCommand = (name: string): Command =>
  keys
    .command(name)
    .addOption(shopOption)
    .addOption(kindOption)
    .option('--scopes <a,b>', 'scopes; all that the kind may hold when absent')
    .option('--expires <time>', 'when it stops working');

keyCommand('create')
  .description('make a key; prints it alone, once')
  .action((options: KeyOptions) => withStores(async (stores) => print(await createKey(stores, options))));
keyCommand('import')
  .description('register a key that exists already, of any spelling')
  .requiredOption('--key <key>', 'the whole key')
  .action(({ key, ...options }: KeyOptions & { key: string }) =>
    withStores((stores) => importKey(stores, key, options)),
  );
keys
  .command('list')
  .description('list keys without showing them')
  .option('--shop <id>')
  .action(({ shop }: { shop?: string }) =>
    withStores(async (stores) => {
      for (const line of await listKeys(stores, shop)) print(line);
    }),
  );
keys
  .command('revoke <id>')
  .description('revoke a key by its id; it stops working within 5 s')
  .action((id: string) =>
    withStores(async (stores) => {
      if ((await stores.keys.revoke(id)) === null) throw new RangeError(`there is no key with the id ${id}`);
    }),
  );

interface ImportFlags {
  url?: string;
  key: string;
  concurrency: string;
  batchSize: string;
  gzip?: boolean;
  restart?: boolean;
  validateOnly?: boolean;
}
program
  .command('import')
  .description('push a history through the API')
  .command('orders <file>')
  .description(
    'NDJSON, one order a line, optionally gzipped; - reads standard input. Exit: 0 all taken, 2 some rejected, 1 stopped',
  )
  .option('--url <url>', 'address of the service; the running one when absent')
  .requiredOption('--key <key>', 'secret key with scope orders:write')
  .option('--concurrency <n>', 'batches in flight', '4')
  .option('--batch-size <n>', 'orders a batch', '250')
  .option('--gzip', 'compress requests')
  .option('--restart', 'begin at the first line, whatever an earlier run did')
  .option('--validate-only', 'check only, store nothing')
  .action(async (file: string, { url, concurrency, batchSize, ...flags }: ImportFlags) => {
    const summary = await runImportOrders({
      ...flags,
      file,
      url: serviceUrl(url),
      concurrency: Number(concurrency),
      batchSize: Number(batchSize),
      stdin,
      stdout,
      stderr,
      signal,
    });
    process.exitCode = summary.exitCode;
  });

program
  .command('rollups')
  .description('daily rollups')
  .command('rebuild')
  .description('compute the rollups afresh from the stored rows')
  .option('--shop <id>', 'one shop; all when absent')
  .option('--from <day>', 'first day, YYYY-MM-DD')
  .option('--to <day>', 'last day, YYYY-MM-DD')
  .action((options: { shop?: string; from?: string; to?: string }) =>
    withStores(async (stores) => print(`${await runRebuild(stores, { ...options, stderr, signal })} days rebuilt`)),
  );

const queue = program.command('queue').description('jobs that failed and were kept');
const queueName = (text: string): QueueName => {
  const name = QUEUES.find((candidate) => candidate === text);
  if (name === undefined) throw new RangeError(`"${text}" is no queue; the queues are ${QUEUES.join(', ')}`);
  return name;
};
queue
  .command('failed <queue>')
  .description('list dead letters, newest first, one JSON object a line')
  .option('--limit <n>', 'how many', '100')
  .action((name: string, { limit }: { limit: string }) =>
    withProducer(async (producer) => {
      for (const job of await producer.failed(queueName(name), Number(limit))) print(JSON.stringify(job));
    }),
  );
queue
  .command('retry <queue> [ids...]')
  .description('put dead letters back: the named ones, or all')
  .action((name: string, ids: string[]) =>
    withProducer(async (producer) =>
      print(`${await producer.retryFailed(queueName(name), ids.length > 0 ? ids : undefined)} jobs put back`),
    ),
  );

program
  .command('demo')
  .description('import a real month of a British online shop and print its profit by day')
  .option('--url <url>', 'address of the service; the running one when absent')
  .option('--key <key>', 'secret key; one for the shop "demo" is made when absent')
  .action(async ({ url, key }: { url?: string; key?: string }) => {
    const summary = await runDemo({
      url: serviceUrl(url),
      ...(key !== undefined && { key }),
      createKey: () => withStores((stores) => createKey(stores, { shop: 'demo', kind: 'secret' })),
      hints: key === undefined ? await demoPage(serviceUrl(url)) : [],
      stdout,
      stderr,
      signal,
    });
    process.exitCode = summary.exitCode;
  });

/** A link to the month of the demo, where the admin token is known here. */
async function demoPage(url: string): Promise<string[]> {
  const month = '/?shop=demo&from=2010-12-01&to=2010-12-31';
  const link = await createSignInLink(findTarget().config, url, month).catch(() => undefined);
  return link === undefined ? [] : [`${link}\n    is this month on the dashboard (the link signs in once)`];
}

program
  .command('convert-online-retail <csv...>')
  .description('turn rows of the UCI "Online Retail" data set into orders, NDJSON on standard output')
  .action(async (files: string[]) => {
    await runConvertOnlineRetail({ files: files.map((file) => (file === '-' ? file : resolve(file))), stdin, stdout });
  });

program.addCommand(biCommand(() => requireTarget().config, print));

program
  .command('sign-in')
  .description('print a link that signs in to the app, once, within the hour')
  .option('--url <url>', 'address of the service; the running one when absent')
  .action(async ({ url }: { url?: string }) => print(await createSignInLink(findTarget().config, serviceUrl(url))));

program
  .command('migrate')
  .description('bring the warehouse to the newest schema')
  .action(async () => {
    for (const name of await runMigrate(requireTarget().config)) print(name);
  });

try {
  await program.parseAsync();
} catch (error) {
  stderr.write(`profit: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
