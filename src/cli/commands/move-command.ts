import { Command } from 'commander';
import { idOfServers } from '../../composition/fenced-warehouse.js';
import { loadConfig, type Config } from '../../config.js';
import { runMove } from '../../operations/copy/move.js';
import { MoveError, type MoveOptions } from '../../operations/copy/move-types.js';
import { PATIENT_MS } from '../../warehouse/client.js';
import { openRowServers, type RowServers } from '../../warehouse/cluster/row-servers.js';
import type { Stores } from '../../composition/stores.js';
import { requireTarget } from '../connect.js';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { whileOpen } from '../while-open.js';
import { withStores } from '../with-stores.js';
import { runMigrate } from './migrate.js';

interface Place {
  url: string;
  cluster?: string;
  nodes?: string;
  replicas?: string;
  database?: string;
}

/** The variables of the other ClickHouse. */
const variablesOf = ({ url, cluster, nodes, replicas, database }: Place): Record<string, string> => ({
  CLICKHOUSE_URL: url,
  ...(cluster !== undefined && { CLICKHOUSE_CLUSTER: cluster }),
  ...(nodes !== undefined && { CLICKHOUSE_NODES: nodes }),
  ...(replicas !== undefined && { CLICKHOUSE_REPLICAS: replicas }),
  ...(database !== undefined && { CLICKHOUSE_DATABASE: database }),
});

/** The command `profit move`. */
export function moveCommand(print: (line: string) => void): Command {
  return new Command('move')
    .description(
      'copy all rows into another, empty ClickHouse of any number of shards beside the running service, and make it the one of the ' +
        'service; one that was cut off is run again. Exit: 0 moved, 1 not',
    )
    .requiredOption('--url <addresses>', 'CLICKHOUSE_URL of the other one')
    .option('--cluster <name>', 'its CLICKHOUSE_CLUSTER')
    .option('--nodes <addresses>', 'its CLICKHOUSE_NODES')
    .option('--replicas <number>', 'its CLICKHOUSE_REPLICAS')
    .option('--database <name>', 'its CLICKHOUSE_DATABASE')
    .addHelpText(
      'after',
      examples('move --url http://ch-1:8123 --cluster shards --nodes http://ch-1:8123,http://ch-2:8123'),
    )
    .action((place: Place) => {
      const { config } = requireTarget();
      const variables = variablesOf(place);
      const ready = [
        'All rows are at the new place and writes wait for it. Start workers and APIs now, before the two minutes of the hold are over, with',
        ...Object.entries(variables).map(([name, value]) => `  ${name}=${hidden(value)}`),
        ...['CLICKHOUSE_CLUSTER', 'CLICKHOUSE_NODES', 'CLICKHOUSE_REPLICAS', 'CLICKHOUSE_DATABASE']
          .filter((name) => variables[name] === undefined)
          .map((name) => `  ${name} not set`),
      ];
      const options = { stderr: process.stderr, signal: untilInterrupted(), onReady: () => print(ready.join('\n')) };
      return withStores(async (stores) => {
        await moveTo(stores, config, loadConfig(variables), options);
        print(
          'A process of the new place writes there. Stop those of the old one. The old ClickHouse has its rows as they were: delete it when you like.',
        );
      });
    });
}

/** {@link runMove} into the ClickHouse of another configuration; makes the schema there. */
export async function moveTo(
  stores: Stores,
  from: Config,
  place: Config,
  options: Omit<MoveOptions, 'from' | 'to' | 'ids'>,
): Promise<void> {
  const { clickhouseUrl, clickhouseOtherUrls, clickhouseDatabase, shards } = place;
  // Rows expire there as they do here.
  const to = { ...from, clickhouseUrl, clickhouseOtherUrls, clickhouseDatabase, shards };
  await runMigrate(to);
  const open = (config: Config): Promise<RowServers> => openRowServers(config, { waitMs: PATIENT_MS });
  await whileOpen(await open(from), async (source) =>
    whileOpen(await open(to), async (target) => {
      const ids = { from: await idOfServers(source), to: await idOfServers(target) };
      if (ids.from === '')
        throw new MoveError('the tables of the service are of an earlier release: run profit migrate first');
      await runMove(stores, { ...options, from: source, to: target, ids });
    }),
  );
}

/** Addresses without passwords. */
const hidden = (text: string): string => text.replaceAll(/(\/\/[^:@/,]*):[^@/,]*@/g, '$1:…@');
