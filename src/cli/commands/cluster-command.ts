import { Command } from 'commander';
import { createStamps } from '../../redis/stamps.js';
import { loadConfig, type Config } from '../../config.js';
import { runAdopt, type AdoptStep } from '../cluster/adopt.js';
import { runRepair, type RepairStep } from '../cluster/repair.js';
import { cancelRebalance, runRebalance } from '../cluster/rebalance.js';
import type { ShardsConfig, Step } from '../cluster/steps.js';
import { requireTarget } from '../connect.js';
import { examples } from '../help.js';
import { untilInterrupted } from '../interrupt.js';
import { withQueues } from '../with-stores.js';

/** What is printed when a step of a move begins. */
const SENTENCES: Readonly<Partial<Record<Step, string>>> = {
  close: 'Writing stops; pushes are accepted and wait, figures are read as before.',
  copy: 'All rows are copied.',
  switch: 'The copies are put in place; reads are answered with 503.',
  open: 'All rows are in place; the tables are opened.',
  clear: 'Copies that nobody needs any more are dropped.',
};

/** The same for an adoption. */
const ADOPTION: Readonly<Partial<Record<AdoptStep, string>>> = {
  prepare: 'The tables of the shard are made; the service goes on.',
  close: 'The tables change hands; pushes are accepted and wait, reads are answered with 503.',
  open: 'All rows are in place; the tables are opened.',
  clear: 'What nobody needs any more is dropped.',
};

/** The same for a repair. */
const REPAIR: Readonly<Partial<Record<RepairStep, string>>> = {
  close: 'Writing stops; pushes are accepted and wait, figures are read as before.',
  drop: 'What the server has is dropped; it takes no reads.',
  copy: 'All rows of the other server of its shard are copied.',
  open: 'The server has all rows; the tables are opened.',
};

type Common = Parameters<typeof cancelRebalance>[0];

/** The command `profit cluster`. */
export function clusterCommand(print: (line: string) => void): Command {
  const cluster = new Command('cluster').description('which ClickHouse shards have the rows');
  cluster
    .command('rebalance')
    .description(
      'move all rows to other shards, beside the running service, whose CLICKHOUSE_CLUSTER and CLICKHOUSE_NODES name the present ' +
        'ones; one that was cut off is run again. Exit: 0 moved, 1 not',
    )
    .requiredOption('--cluster <name>', 'of the other shards in remote_servers')
    .requiredOption(
      '--nodes <urls>',
      'all their servers, joined by commas; user and password are those of the present ones when absent',
    )
    .addHelpText(
      'after',
      examples('cluster rebalance --cluster shards_3 --nodes http://ch-1:8123,http://ch-2:8123,http://ch-3:8123'),
    )
    .action(({ cluster: name, nodes }: { cluster: string; nodes: string }) =>
      withOptions(print, async (options) => {
        const isMoved = await runRebalance({ ...options, to: otherShards(options.config, name, nodes) });
        print(`${isMoved ? 'All rows are' : 'All rows were already'} ${nextOf(name)}`);
      }),
    );
  cluster
    .command('adopt')
    .description(
      'make the single server of the running service, with all its rows, the only shard of a cluster; rebalance then adds ' +
        'others. One that was cut off is run again. Exit: 0 done, 1 not',
    )
    .requiredOption('--cluster <name>', 'in remote_servers, of this server alone')
    .addHelpText('after', examples('cluster adopt --cluster shards_1'))
    .action(({ cluster: name }: { cluster: string }) =>
      withOptions(print, async (options) => {
        const { config } = options;
        const onStep = (step: AdoptStep): void => tell(ADOPTION[step], print);
        const { cluster: to } = otherShards(config, name, config.clickhouseUrl ?? '');
        const isAdopted = await runAdopt({ ...options, cluster: to, onStep });
        print(`${isAdopted ? 'The server is' : 'The server was already'} the shard of "${name}". ${restartWith(name)}`);
      }),
    );
  cluster
    .command('repair')
    .description(
      'fill a server that came back without its rows, or with old ones, from another one of its shard, beside the running ' +
        'service; one that was cut off is run again. Exit: 0 filled, 1 not',
    )
    .argument('<node>', 'host and port, as in CLICKHOUSE_NODES; what it has of the service is dropped')
    .addHelpText('after', examples('cluster repair ch-2:8123'))
    .action((node: string) =>
      withOptions(print, async (options) => {
        await runRepair({ ...options, node, onStep: (step) => tell(REPAIR[step], print) });
        print(
          `${node} has all rows of its shard. BI users that it has lost are made again by profit bi drop-user and create-user.`,
        );
      }),
    );
  cluster
    .command('cancel')
    .description('give up a rebalance that has put nothing in place, and go on with the present shards')
    .addHelpText('after', examples('cluster cancel'))
    .action(() =>
      withOptions(print, async (options) => {
        print((await cancelRebalance(options)) ? 'The move is given up.' : 'No move is under way.');
      }),
    );
  return cluster;
}

async function withOptions(print: (line: string) => void, use: (options: Common) => Promise<void>): Promise<void> {
  const { config } = requireTarget();
  const onStep = (step: Step): void => tell(SENTENCES[step], print);
  await withQueues((redisOf) => {
    const redis = redisOf('orders');
    const stores = { redis, takeStamps: createStamps(redis) };
    return use({ ...stores, config, onStep, stderr: process.stderr, signal: untilInterrupted() });
  });
}

const tell = (sentence: string | undefined, print: (line: string) => void): void => {
  if (sentence !== undefined) print(sentence);
};

const nextOf = (cluster: string): string => `where "${cluster}" has them. ${restartWith(cluster)}`;

const restartWith = (cluster: string): string =>
  `Start workers and APIs anew, one after the other, with CLICKHOUSE_CLUSTER=${cluster} and its CLICKHOUSE_NODES.`;

/** The shards that options name. Throws a ConfigError that names the variables which will have these values. */
function otherShards({ shards: present }: Config, cluster: string, nodes: string): ShardsConfig {
  const names = { CLICKHOUSE_CLUSTER: cluster, CLICKHOUSE_NODES: nodes };
  const { shards = { cluster, nodes: [] } } = loadConfig(names);
  const [own] = present?.nodes ?? [];
  const withUser = (text: string): string => {
    const url = new URL(text);
    if (own === undefined || url.username !== '') return text;
    const { username, password } = new URL(own);
    return Object.assign(url, { username, password }).href;
  };
  return { ...shards, nodes: shards.nodes.map(withUser) };
}
