import { Command, Option } from 'commander';
import { VERSION } from '../http/version.js';
import { auditText, runAudit } from './commands/audit.js';
import { backupCommand, restoreCommand } from './commands/backup-command.js';
import { biCommand } from './commands/bi-command.js';
import { convertCommand } from './commands/convert-command.js';
import { findTarget, requireTarget } from './connect.js';
import { demoCommand } from './commands/demo-command.js';
import { moveCommand } from './commands/move-command.js';
import { importCommand } from './commands/import-command.js';
import { queueCommand } from './commands/queue-command.js';
import { reconcileCommand } from './commands/reconcile-command.js';
import { errorText } from './error-text.js';
import { examples } from './help.js';
import { dayOptions, type DayChoice } from './commands/chosen-days.js';
import { daysCommand } from './commands/days-command.js';
import { misdatedText, runCheck } from './days/check-days.js';
import { createKey, importKey, listKeys, type KeyOptions } from './commands/keys.js';
import { runMigrate } from './commands/migrate.js';
import { runRebuild } from './commands/rollups.js';
import { createSignInLink } from './commands/sign-in.js';
import { untilInterrupted } from './interrupt.js';
import { serviceUrl, withStores } from './with-stores.js';

/** `npm run --silent profit -- COMMAND`: every command works while the service runs. */
const { stdout, stderr } = process;

// The reader closed the pipe (`profit ... | head`): exit 141, as SIGPIPE does.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});
const print = (line: string): void => void stdout.write(`${line}\n`);
const program = new Command('profit')
  .description('Command line of the profit metrics service; every command has --help')
  .version(VERSION)
  .addHelpText(
    'after',
    examples(
      'keys create --shop demo --kind secret',
      'import orders orders.ndjson.gz',
      'bi create-user --shop demo',
      'demo',
    ),
  );

const keys = program
  .command('keys')
  .description('API keys: only their hash is stored')
  .addHelpText(
    'after',
    examples(
      'keys create --shop demo --kind secret',
      'keys create --shop demo --kind secret --scopes orders:write --expires 2030-01-01',
      'keys list --shop demo',
      'keys revoke 0123456789abcdef',
    ),
  );
const shopOption = new Option('--shop <id>', 'shop that the key belongs to').makeOptionMandatory();
const kindOption = new Option('--kind <kind>', 'secret, publishable or pixel').makeOptionMandatory();
const keyCommand = (name: string): Command =>
  keys
    .command(name)
    .addOption(shopOption)
    .addOption(kindOption)
    .option('--name <name>', 'what people call it, shown in lists')
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
      const [heading = '', ...lines] = await listKeys(stores, shop);
      for (const line of lines.length > 0 ? [heading, ...lines] : ['No keys yet; keys create makes one.']) print(line);
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

program.addCommand(importCommand());
program.addCommand(convertCommand());
program.addCommand(reconcileCommand());

dayOptions(program.command('rollups').description('daily rollups').command('rebuild'))
  .description('compute channels of visits, credit of orders and rollups afresh from the stored rows')
  .addHelpText('after', examples('rollups rebuild --shop demo --from 2026-03-01 --to 2026-03-31'))
  .action((options: DayChoice) =>
    withStores(async (stores) => {
      const { eventRetentionDays } = requireTarget().config;
      const signal = untilInterrupted();
      print(`${await runRebuild(stores, { ...options, eventRetentionDays, stderr, signal })} days rebuilt`);
    }),
  );

dayOptions(program.command('audit'))
  .description(
    'recompute every stored day from its rows by code of its own, and compare it with the figures and the clock',
  )
  .addHelpText('after', examples('audit', 'audit --shop demo --from 2026-03-01 --to 2026-03-31'))
  .action((options: DayChoice) =>
    withStores(async (stores) => {
      const output = { stderr, print, signal: untilInterrupted() };
      const summary = await runAudit(stores, { ...options, ...output });
      const misdated = await runCheck(stores, { ...options, ...output });
      print([auditText(summary), ...(misdated.orders > 0 ? [misdatedText(misdated)] : [])].join(', '));
      if (summary.differences + summary.behind + misdated.orders > 0) process.exitCode = 1;
    }),
  );

program.addCommand(daysCommand(print));
program.addCommand(backupCommand(print));
program.addCommand(restoreCommand(print));
program.addCommand(moveCommand(print));
program.addCommand(queueCommand(print));
program.addCommand(demoCommand());

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
    const applied = await runMigrate(requireTarget().config);
    for (const name of applied.length > 0 ? applied : ['The warehouse has the newest schema.']) print(name);
  });

try {
  await program.parseAsync();
} catch (error) {
  stderr.write(`profit: ${errorText(error)}\n`);
  process.exitCode = 1;
}
