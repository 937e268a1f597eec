import { expect } from 'chai';
import type { RunningShards } from '../../src/embedded/engines/shards.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { until } from '../embedded/processes.js';
import { addressOf, startShardedEngines, type Engines } from '../support/engines.js';

/** Has no end of its own, takes no CPU, and its like is nowhere else. */
const ENDLESS = "SELECT sum(sleepEachRow(0.1)) FROM cluster('shards', system.numbers) SETTINGS max_block_size = 1";
/** Long enough for a slow machine to begin it on both. */
const WAIT_MS = 15_000;

describe('a query on two shards whose caller has left', () => {
  let engines: Engines & { shards: RunningShards };
  let servers: Warehouse[];

  before(async () => {
    engines = await startShardedEngines(2);
    servers = engines.shards.shards.map((server) => createWarehouse({ url: addressOf(server), database: 'default' }));
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await engines.stop();
  });

  /** Tells of each server whether it works on the query. */
  const works = (): Promise<boolean[]> =>
    Promise.all(
      servers.map(async (server) => {
        const sql =
          "SELECT query FROM system.processes WHERE positionUTF8(query, 'sum') > 0 AND query ILIKE '%numbers%'";
        const rows = await server.query<{ query: string }>(sql);
        return rows.some(({ query }) => !query.includes('system.processes'));
      }),
    );

  it('is stopped on both of them', async () => {
    const outcome = servers[0]?.query(ENDLESS, {}, { waitMs: WAIT_MS }).then(
      () => 'an answer',
      (error: unknown) => String(error),
    );
    await until('both work on it', async () => (await works()).every(Boolean));
    expect(await outcome).to.include('The warehouse is out of reach');
    await until('neither works on it', async () => !(await works()).some(Boolean));
  });
});
