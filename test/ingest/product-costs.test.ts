import { expect } from 'chai';
import type { Sender } from '../../src/domain/ingest.js';
import { createGroupCommit } from '../../src/ingest/group-commit.js';
import type { Items } from '../../src/body/items.js';
import { createProductCostIntake } from '../../src/ingest/product-costs.js';
import { NEVER_YIELDS } from '../../src/body/yielding.js';
import type { ProductCostsPush } from '../../src/queue/jobs.js';
import { createReceipts } from '../../src/redis/receipts.js';
import { createSourceState } from '../../src/redis/sources.js';
import { createStamps } from '../../src/redis/stamps.js';
import { createSourceRegistry } from '../../src/repositories/sources.js';
import { NO_HEAD } from '../../src/warehouse/columns/json-rows.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';

const sender: Sender = { shopId: 'shop', keyLast4: 'abcd', requestId: 'r', traceId: '' };
const item = { value: { sku: 'A', unit_cost: '1', currency: 'USD' } };
const items: Items = {
  length: 1,
  *[Symbol.iterator]() {
    yield item;
  },
  read: () => item,
};

describe('the way in of product costs', () => {
  it('takes the currency that the source has just got through another process', async () => {
    const now = (): number => Date.parse('2026-03-03T00:00:00Z');
    const redis = createRedisClient(
      createRedisServer(() => now() * 1_000),
      (work) => Promise.resolve(work()),
    );
    const openSources = () =>
      createSourceRegistry({
        shardOf: () => 0,
        state: createSourceState(redis),
        takeStamps: createStamps(redis),
        now,
        store: {
          find: () => Promise.resolve(null),
          shopIds: () => Promise.resolve([]),
          write: () => Promise.resolve(),
        },
      });
    const [here, there] = [openSources(), openSources()];
    const source = { platform: 'x', currency: 'EUR', timezone: 'UTC', shopDomain: null };
    await here.put('shop', source);
    await here.require('shop');
    await there.put('shop', { ...source, currency: 'USD' });
    const take = createProductCostIntake({
      sources: here,
      receipts: createReceipts(redis),
      commit: createGroupCommit<ProductCostsPush>({
        producer: { add: () => Promise.resolve() },
        queue: 'product-costs',
        heads: [NO_HEAD],
      }),
      previewCosts: () => Promise.reject(new Error('nothing asks for a preview')),
      openRejections: () => ({ add: () => undefined, keep: () => Promise.resolve() }),
      now,
    });
    expect(await take(sender, items, { validateOnly: false, yielder: NEVER_YIELDS })).to.include({
      accepted: 1,
      rejected: 0,
    });
  });
});
