import { expect } from 'chai';
import { ConfigError, loadConfig } from '../../../src/config.js';

const SERVERS = 'http://a:8123, http://b:8123';
const SHARDS = { CLICKHOUSE_URL: SERVERS, CLICKHOUSE_NODES: SERVERS, CLICKHOUSE_CLUSTER: 'c' };

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the configuration of shards', () => {
  it('names the servers that are asked, in their order, and all servers', () => {
    const config = loadConfig(SHARDS);
    expect(config).to.deep.include({
      clickhouseUrl: 'http://a:8123',
      clickhouseOtherUrls: ['http://b:8123'],
      shards: { cluster: 'c', nodes: ['http://a:8123', 'http://b:8123'], replicas: 1 },
    });
  });

  it('is that of one server where nothing is said of them', () => {
    const config = loadConfig({ CLICKHOUSE_URL: 'http://a:8123' });
    expect(config).to.deep.include({ clickhouseOtherUrls: [], shards: undefined });
  });

  it('is refused without a cluster, with a number of replicas, and with what is no address', () => {
    expect(faultsOf({ ...SHARDS, CLICKHOUSE_CLUSTER: '' })).to.deep.equal([
      'CLICKHOUSE_NODES needs CLICKHOUSE_CLUSTER, the name of the shards in remote_servers',
    ]);
    expect(faultsOf({ CLICKHOUSE_URL: SERVERS, CLICKHOUSE_CLUSTER: 'c' })).to.deep.equal([
      'CLICKHOUSE_CLUSTER needs CLICKHOUSE_NODES, the addresses of all its servers, shard by shard',
      'CLICKHOUSE_URL may name several servers of one cluster alone: set CLICKHOUSE_CLUSTER and CLICKHOUSE_NODES',
    ]);
    expect(faultsOf({ ...SHARDS, CLICKHOUSE_REPLICAS: '3' })).to.deep.equal([
      'CLICKHOUSE_NODES names 2 servers, which are not CLICKHOUSE_REPLICAS (3) for each shard',
    ]);
    expect(loadConfig({ ...SHARDS, CLICKHOUSE_REPLICAS: '2' }).shards).to.include({ replicas: 2 });
    expect(faultsOf({ ...SHARDS, CLICKHOUSE_NODES: 'http://a:8123,b:8123' })).to.deep.equal([
      'CLICKHOUSE_NODES must be a URL that starts with http:// or https://, or up to 1000 of them joined by commas',
    ]);
  });
});
