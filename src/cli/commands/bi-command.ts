import { Command } from 'commander';
import type { Config } from '../../config.js';
import { accessLines, createBiUser, dropBiUser, listBiUsers, openBiUser } from './bi.js';

/** The command `profit bi …`. `config` finds the running service, and throws when there is none. */
export function biCommand(config: () => Config, print: (line: string) => void): Command {
  const bi = new Command('bi').description('BI tools: who reads the database bi');
  bi.command('create-user')
    .description('make a user that sees one shop; prints how to connect, with the password, once')
    .requiredOption('--shop <id>', 'shop that the user sees')
    .option('--name <name>', 'name after bi_; made up when absent')
    .action(async (options: { shop: string; name?: string }) => {
      for (const line of accessLines(await createBiUser(config(), options))) print(line);
    });
  bi.command('list-users')
    .description('list users and their shops')
    .action(async () => {
      const users = await listBiUsers(config());
      for (const { user, shop, isClosed } of users) print(`${user}\t${shop}${isClosed ? '\tclosed' : ''}`);
      if (users.length === 0) print('No BI users yet; bi create-user makes one.');
    });
  bi.command('drop-user <user>')
    .description('take a user away')
    .action((user: string) => dropBiUser(config(), user));
  bi.command('open-user <user>')
    .description('open a user again that was closed because a query of it could not be stopped')
    .action((user: string) => openBiUser(config(), user));
  return bi;
}
