import { expect } from 'chai';
import { cityHash64 } from '../../src/domain/city-hash.js';
import { createShardOf } from '../../src/domain/shard-of.js';
import { useService } from '../support/service.js';
import { literal } from '../../src/warehouse/sql.js';

describe('the shard of a key', () => {
  const service = useService({ workers: false });

  it('is the one that ClickHouse computes, for texts of every length and any number of shards', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-';
    const textOf = (length: number, seed: number): string =>
      Array.from({ length }, (_, i) => letters[(seed * 31 + i * i * 7 + i * seed) % letters.length]).join('');
    const texts = Array.from({ length: 65 * 8 }, (_, i) => textOf(i % 65, i));
    const list = texts.map(literal).join(',');
    const jumps = Array.from({ length: 39 }, (_, i) => `jumpConsistentHash(hash, ${i + 1})`);
    const rows = await service.stores.warehouse.query<{ key: string; hash: string; shards: number[] }>(
      `SELECT key, cityHash64(key) AS hash, [${jumps.join(',')}] AS shards
       FROM (SELECT arrayJoin([${list}]) AS key)`,
    );
    expect(rows).to.have.length(texts.length);
    const places = Array.from({ length: 39 }, (_, i) => createShardOf(i + 1));
    for (const { key, hash, shards } of rows) {
      expect(String(cityHash64(key)), key).to.equal(hash);
      expect(
        places.map((shardOf) => shardOf(key)),
        key,
      ).to.deep.equal(shards);
    }
  });

  it('is not computed of what is no shop id and no hash of a key', () => {
    expect(() => cityHash64('x'.repeat(65))).to.throw(RangeError, '64 bytes');
  });
});
