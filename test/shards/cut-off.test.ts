import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../src/embedded/engines/free-port.js';
import { startShards, type RunningShards } from '../../src/embedded/engines/shards.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import { isAnswered } from '../../src/warehouse/failures.js';
import { addressOf, quietLog } from '../support/engines.js';

describe('a server that reaches no other shard', () => {
  let dataDir: string;
  let shards: RunningShards;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'profit-cut-off-'));
    let servers = 0;
    // The first one looks for the second one where nobody listens.
    const through = (port: number): Promise<number> => (servers++ === 0 ? Promise.resolve(port) : freePort());
    shards = await startShards({ dataDir, log: quietLog, count: 2, through });
  });
  after(async () => {
    await shards.stop();
    await rm(dataDir, { recursive: true });
  });

  /** Counts a row of every shard, with the first `count` servers. */
  const ask = async (count: number): Promise<unknown> => {
    const [url = '', ...otherUrls] = shards.shards.slice(0, count).map(addressOf);
    const warehouse = createWarehouse({ url, otherUrls, database: 'system', isSharded: true });
    const answer = await warehouse
      .query("SELECT count() AS n FROM cluster('shards', system.one)")
      .catch((error: unknown) => error);
    await warehouse.close();
    return answer;
  };

  it('answers with an error, and another one gets the query', async () => {
    expect(await ask(1)).to.satisfy(isAnswered);
    expect(await ask(2)).to.deep.equal([{ n: '2' }]);
  });
});
