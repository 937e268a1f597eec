import { expect } from 'chai';
import { distributed } from '../../../src/warehouse/cluster/distribute.js';
import { render } from '../../../src/warehouse/migrations/migrations.js';
import { settingsOf } from '../../../src/warehouse/statement-settings.js';

const SHARDS = { database: 'profit', cluster: 'c', shards: 3 };

describe('the placement of rows on shards', () => {
  it('is by shop in every table, of keys by their hash, and one for what belongs to no shop', () => {
    expect(distributed('daily_orders', SHARDS).replace(/\s+/g, ' ')).to.equal(
      'CREATE OR REPLACE TABLE profit.daily_orders AS profit_local.daily_orders ' +
        "ENGINE = Distributed('c', 'profit_local', 'daily_orders', jumpConsistentHash(cityHash64(shop_id), 3))",
    );
    expect(distributed('api_keys', SHARDS)).to.contain('jumpConsistentHash(cityHash64(key_hash), 3)');
    for (const table of ['people', 'share_links', 'access_log'])
      expect(distributed(table, SHARDS)).to.contain('jumpConsistentHash(cityHash64(place), 3)');
  });

  it('sends a question about one shop to one shard, with its sub-queries', () => {
    const settings = settingsOf({ isSharded: true, waitMs: 8_000 });
    expect(settings).to.include({ optimize_skip_unused_shards: 1, distributed_product_mode: 'local' });
    expect(settings).to.include({ skip_unavailable_shards: 0, distributed_foreground_insert: 1 });
  });
});

describe('replicas of a shard', () => {
  it('are kept by ClickHouse: every table has its path in Keeper', () => {
    const sql = 'CREATE TABLE t (a String)\nENGINE = {engine}ReplacingMergeTree(version, is_deleted)\nORDER BY a';
    expect(render(sql)).to.equal(sql.replace('{engine}', ''));
    expect(render(sql, { isReplicated: true })).to.contain(
      "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{database}/{table}/{shard}', '{replica}', version, is_deleted)",
    );
    expect(render('ENGINE = {engine}MergeTree\nORDER BY a', { isReplicated: true })).to.equal(
      "ENGINE = ReplicatedMergeTree('/clickhouse/tables/{database}/{table}/{shard}', '{replica}')\nORDER BY a",
    );
    expect(render('ENGINE = {engine}MergeTree\nORDER BY a')).to.equal('ENGINE = MergeTree\nORDER BY a');
  });

  it('have a write by serial quorum, and every read has seen it', () => {
    expect(settingsOf({ isReplicated: true, waitMs: 1 })).to.include({
      insert_quorum: 'auto',
      insert_quorum_parallel: 0,
      select_sequential_consistency: '1',
    });
    expect(settingsOf({ waitMs: 1 })).not.to.have.any.keys('insert_quorum', 'select_sequential_consistency');
  });
});
