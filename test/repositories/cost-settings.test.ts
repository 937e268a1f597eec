import { expect } from 'chai';
import type { GatewayFeeRule } from '../../src/schemas/gateway-fees.js';
import { createCostSettingsState } from '../../src/redis/cost-settings.js';
import { createLocks } from '../../src/redis/locks.js';
import { createStamps } from '../../src/redis/stamps.js';
import { createCostSettingsRegistry, type CostSettingsRegistry } from '../../src/repositories/cost-settings.js';
import type { ExpenseStore } from '../../src/warehouse/queries/expenses.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';

const SHOP = 'shop';
const rule = (percent: string): GatewayFeeRule => ({ payment_gateway: 'g', percent, fixed: '0' });

/** The registry on a Redis in memory and a warehouse whose reads end when the test says so. */
function start() {
  const redis = createRedisClient(
    createRedisServer(() => Date.now() * 1_000),
    (work) => Promise.resolve(work()),
  );
  let stored: GatewayFeeRule[] = [rule('1')];
  let reads = 0;
  let hold: Promise<void> | null = null;
  const expenses: Pick<ExpenseStore, 'list'> = { list: () => Promise.resolve([]) };
  const registry: CostSettingsRegistry = createCostSettingsRegistry({
    state: createCostSettingsState(redis),
    rules: {
      async find() {
        reads++;
        const read = stored;
        await hold;
        return read;
      },
      write(_shopId, rules) {
        stored = [...rules];
        return Promise.resolve();
      },
    },
    expenses: expenses as ExpenseStore,
    readRates: () => Promise.resolve([]),
    withLock: createLocks(redis),
    takeStamps: createStamps(redis),
  });
  return {
    registry,
    reads: () => reads,
    /** Reads that begin now end when what this gives is called. */
    holdReads(): () => void {
      let release = (): void => undefined;
      hold = new Promise((resolve) => (release = resolve));
      return () => {
        hold = null;
        release();
      };
    },
  };
}

const percents = async ({ registry }: ReturnType<typeof start>): Promise<string[]> =>
  (await registry.find(SHOP)).rules.map(({ percent }) => percent);

describe('cost settings', () => {
  it('are read from the warehouse once, then from Redis', async () => {
    const world = start();
    expect(await percents(world)).to.deep.equal(['1']);
    expect(await percents(world)).to.deep.equal(['1']);
    expect(world.reads()).to.equal(1);
  });

  it('show a change in the next read', async () => {
    const world = start();
    await percents(world);
    await world.registry.replaceRules(SHOP, [rule('2')]);
    expect(await percents(world)).to.deep.equal(['2']);
  });

  it('are not kept by a reader that read them before a change and ends after it', async () => {
    const world = start();
    const release = world.holdReads();
    const early = percents(world);
    while (world.reads() === 0) await new Promise(setImmediate);
    await world.registry.replaceRules(SHOP, [rule('2')]);
    release();
    expect(await early).to.deep.equal(['1']);
    expect(await percents(world)).to.deep.equal(['2']);
  });

  it('are not kept by a reader while a change is under way', async () => {
    const world = start();
    await world.registry.change(SHOP, async () => {
      expect(await percents(world)).to.deep.equal(['1']);
    });
    await percents(world);
    expect(world.reads()).to.equal(2);
  });
});
