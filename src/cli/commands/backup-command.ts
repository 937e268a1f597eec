import { resolve } from 'node:path';
import { Command } from 'commander';
import { eventQueuePlace } from '../../composition/stores.js';
import type { Config } from '../../config.js';
import { createProducer } from '../../queue/producer.js';
import { PATIENT_MS } from '../../warehouse/client.js';
import { openRowServers, type RowServers } from '../../warehouse/cluster/row-servers.js';
import { countRows, sumOf } from '../../warehouse/backup/tables.js';
import { runBackup } from '../backup/backup.js';
import { runRestore } from '../backup/restore.js';
import { runVerify } from '../backup/verify.js';
import { requireTarget } from '../connect.js';
import { examples } from '../help.js';
import { readChain } from '../backup/chain.js';
import type { Manifest } from '../backup/manifest.js';
import { grouped } from '../../operations/progress.js';
import { untilInterrupted } from '../interrupt.js';
import { whileOpen } from '../while-open.js';
import { withQueues, withStores } from '../with-stores.js';
import { auditText } from './audit.js';
import { requireDays, type DayChoice } from './chosen-days.js';
import { runMigrate } from './migrate.js';

const PATIENT = { warehouseWaitMs: PATIENT_MS };

/** The command `profit backup TO`. */
export function backupCommand(print: (line: string) => void): Command {
  return new Command('backup')
    .argument('<to>', 'folder for it, new or empty')
    .description('write all that the service holds, queues included, into a folder, beside the running service')
    .option('--since <backup>', 'write only what has changed since that backup, which stays beside the new one')
    .addHelpText(
      'after',
      examples(
        'backup /var/backups/profit-2026-03-01',
        'backup /var/backups/profit-2026-03-02 --since /var/backups/profit-2026-03-01',
      ),
    )
    .action((to: string, { since }: { since?: string }) => {
      const config = requireTables();
      return withStores(
        (stores) =>
          withQueues((redisOf) =>
            withRowServers(config, async (servers) => {
              const options = {
                servers,
                folder: resolve(to),
                ...(since !== undefined && { since: resolve(since) }),
                onWhole: (why: string) => print(`All is written: ${why}`),
                stderr: process.stderr,
                eventQueuePlace: eventQueuePlace(config),
              };
              const manifest = await runBackup(stores, { ...options, redisOf, signal: untilInterrupted() });
              const increment = manifest.base === undefined ? '' : `, an increment of ${manifest.base.folder}`;
              const rows = countRows(manifest.tables.flatMap(({ chunks }) => chunks));
              print(`${contentText(rows, manifest)} are in ${to}${increment}`);
            }),
          ),
        PATIENT,
      );
    });
}

/** The command `profit restore FROM`. */
export function restoreCommand(print: (line: string) => void): Command {
  return new Command('restore')
    .argument('<from>', 'folder of a backup')
    .description(
      'bring a backup into a deployment that is empty, of any number of shards; of an increment the backups before it lie beside it. One that was ' +
        'cut off is run again. Exit: 0 restored, 1 not',
    )
    .option('--verify', 'wait until its jobs are done, then audit every day')
    .option('--from <day>', 'first day that --verify audits, YYYY-MM-DD')
    .option('--to <day>', 'last day that --verify audits, YYYY-MM-DD')
    .addHelpText(
      'after',
      examples(
        'restore /var/backups/profit-2026-03-01 --verify',
        'restore /var/backups/profit-2026-03-01 --verify --from 2026-01-01',
      ),
    )
    .action(async (from: string, { verify = false, ...days }: Omit<DayChoice, 'shop'> & { verify?: boolean }) => {
      const config = requireTables();
      requireDays(days);
      const folder = resolve(from);
      await readChain(folder); // before anything is made
      await runMigrate(config);
      const common = { stderr: process.stderr, signal: untilInterrupted() };
      await withStores(
        (stores) =>
          withQueues(async (redisOf) => {
            await whileOpen(createProducer({ connectionOf: redisOf }), (producer) =>
              withRowServers(config, async (servers) => {
                const options = {
                  ...common,
                  servers,
                  folder,
                  redisOf,
                  producer,
                  eventQueuePlace: eventQueuePlace(config),
                };
                print(restoredText(await runRestore(stores, options)));
              }),
            );
            if (!verify) return;
            const verified = await runVerify(stores, { ...common, ...days, redisOf, print });
            print(auditText(verified));
            if (verified.differences + verified.behind > 0) process.exitCode = 1;
          }),
        PATIENT,
      );
    });
}

const withRowServers = async (config: Config, use: (servers: RowServers) => Promise<void>): Promise<void> =>
  whileOpen(await openRowServers(config, { waitMs: PATIENT_MS }), use);

const requireTables = (): Config => requireTarget().config;

function contentText(rows: number, { queues }: Manifest): string {
  const jobs = queues.reduce((sum, { entries }) => sum + entries, 0);
  return `${grouped(rows)} rows and ${grouped(jobs)} jobs`;
}

/** Rows that count, those too that an increment has not written. */
export const restoredText = (manifest: Manifest): string =>
  `${contentText(Number(sumOf(manifest.tables).rows), manifest)} are restored`;
