import { expect } from 'chai';
import { createRebuildQueues } from '../../src/redis/rebuild-queues.js';
import { createDroppedNames } from '../../src/redis/dropped-names.js';
import { creditOrders } from '../../workers/attribution.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';
import { FIRST_STAMP, orderWrite, randomShop } from '../simulation/warehouse/encoded.js';
import { createPlainWarehouse } from '../simulation/warehouse/plain-warehouse.js';
import { createTables } from '../simulation/warehouse/tables.js';

describe('the credit of orders', () => {
  it('is written before their days are queued, so that no rebuild misses it', async () => {
    const redis = createRedisClient(
      createRedisServer(() => FIRST_STAMP),
      (work) => Promise.resolve(work()),
    );
    const warehouse = createPlainWarehouse(createTables());
    const { options, take } = randomShop(1);
    await orderWrite(options, take)(warehouse);
    const rebuildQueues = createRebuildQueues(redis);
    const queued: number[] = [];
    const countQueued = async () => queued.push(await rebuildQueues.lanes.fresh.count());
    await creditOrders(
      {
        warehouse: {
          ...warehouse,
          async insert(table, rows) {
            await countQueued();
            await warehouse.insert(table, rows);
          },
          async insertBytes(statement, bytes) {
            await countQueued();
            await warehouse.insertBytes(statement, bytes);
          },
        },
        rebuildQueues,
        droppedNames: createDroppedNames(redis, () => 1),
        takeStamps: () => Promise.resolve(2),
      },
      new Map([[options.shop.id, ['o1', 'o2', 'o3', 'o4']]]),
      { version: 1, lane: 'fresh' },
    );
    expect(queued, 'the credit, then the rows of the orders').to.deep.equal([0, 0]);
    expect(await rebuildQueues.lanes.fresh.count()).to.be.above(0);
  });
});
