import { expect } from 'chai';
import type { Expense } from '../../src/domain/costs/expenses.js';
import { createWriteIntents, MOST_OPEN } from '../../src/redis/write-intents.js';
import { createSettingWrites, type SettingWrites } from '../../src/repositories/setting-writes.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import { createExpenseStore } from '../../src/warehouse/queries/expenses.js';
import { startService, type Service, type Shop } from '../support/service.js';

const RENT: Expense = {
  expenseId: 'app_rent',
  externalId: null,
  name: 'Rent',
  category: 'other',
  amount: '310.00',
  currency: 'EUR',
  frequency: 'monthly',
  startedOn: 20_000,
  endedOn: null,
  countsAsAdSpend: false,
};

/** Later than any request may still work. */
const LATER_MS = 60_000;

describe('the write of a setting', () => {
  let service: Service;
  before(async () => {
    service = await startService({ workers: false });
  });
  after(() => service.stop());

  /** Writes of a process whose way to the warehouse is as `insert` says; others are late by a minute. */
  const start = (insert: Warehouse['insert'], lateMs = 0): SettingWrites => {
    const { redis, warehouse } = service.stores;
    const now = () => Date.now() + lateMs;
    const deps = { intents: createWriteIntents(redis), warehouse: { ...warehouse, insert }, now };
    return createSettingWrites({ ...deps, onWritten: () => Promise.resolve() });
  };
  const dying = (): SettingWrites => start(() => Promise.reject(new Error('the process dies here')));
  const toWarehouse: Warehouse['insert'] = (table, rows) => service.stores.warehouse.insert(table, rows);
  const later = (): SettingWrites => start(toWarehouse, LATER_MS);
  const put = ({ warehouse }: SettingWrites, shop: Shop, expense: Expense, version = 1): Promise<unknown> =>
    createExpenseStore(warehouse)
      .write(shop.id, expense, version)
      .catch((error: unknown) => String(error));
  const listOf = (shop: Shop): Promise<Expense[]> => service.stores.expenses.listAll(shop.id);

  it('that is cut off is made later, and by nobody while a request may still work on it', async () => {
    const shop = await service.shop();
    expect(await put(dying(), shop, RENT)).to.contain('dies here');
    expect(await start(toWarehouse).finishNext()).to.equal(null);
    expect(await listOf(shop)).to.deep.equal([]);
    expect(await later().finishNext()).to.deep.equal({ shopId: shop.id, rows: 1, refusals: [] });
    expect(await listOf(shop)).to.deep.equal([RENT]);
    expect(await service.stores.settingWrites.countShops()).to.equal(0);
  });

  it('that succeeds leaves nothing to be made', async () => {
    const shop = await service.shop();
    await put(service.stores.settingWrites, shop, RENT);
    expect(await listOf(shop)).to.deep.equal([RENT]);
    expect(await service.stores.settingWrites.countShops()).to.equal(0);
  });

  it('that is made later changes nothing that was changed since', async () => {
    const shop = await service.shop();
    await put(dying(), shop, RENT, 1);
    const higher = { ...RENT, amount: '320.00' };
    await createExpenseStore(service.stores.warehouse).write(shop.id, higher, 2);
    await later().finishNext();
    expect(await listOf(shop)).to.deep.equal([higher]);
  });

  it('that is cut off is there for the next change of the shop, and in the figures that are read after it', async () => {
    const shop = await service.shop();
    expect((await service.stores.costSettings.find(shop.id)).expenses).to.deep.equal([]);
    await put(dying(), shop, RENT);
    expect(await service.stores.expenses.removeById(shop.id, RENT.expenseId), 'it is found').to.equal(true);
    expect(await listOf(shop)).to.deep.equal([]);

    await put(dying(), shop, { ...RENT, expenseId: 'app_other' }, Date.now() * 2_000);
    expect((await service.stores.costSettings.find(shop.id)).expenses).to.deep.equal([]);
    await service.stores.settingWrites.finish(shop.id);
    expect((await service.stores.costSettings.find(shop.id)).expenses).to.have.length(1);
  });

  it('that no server will ever take is given up, its reason told, and no other one lost with it', async () => {
    const shop = await service.shop();
    await put(dying(), shop, RENT);
    const intents = createWriteIntents(service.stores.redis);
    const row = { shop_id: shop.id, expense_id: 'x', amount: 'much' };
    await intents.open({ shopId: shop.id, id: 'odd', table: 'expenses', row }, Date.now());
    const finished = await later().finishNext();
    expect(finished).to.deep.include({ shopId: shop.id, rows: 1 });
    expect(finished?.refusals).to.have.length(1);
    expect(await listOf(shop)).to.deep.equal([RENT]);
    expect(await service.stores.settingWrites.countShops()).to.equal(0);
  });

  it('of one shop waits for no other shop whose shard is away', async () => {
    const [away, near] = [await service.shop(), await service.shop()];
    for (const shop of [away, near]) await put(dying(), shop, RENT);
    const half = start(async (table, rows) => {
      if (JSON.stringify(rows).includes(away.id)) throw new Error('the shard is away');
      await toWarehouse(table, rows);
    }, LATER_MS);
    for (let turn = 0; turn < 3; turn++) await half.finishNext().catch(() => undefined);
    expect(await listOf(near)).to.deep.equal([RENT]);
    await service.stores.settingWrites.finish(away.id);
    expect(await listOf(away)).to.deep.equal([RENT]);
  });

  it('is refused where a hundred of the shop wait, before it is noted', async () => {
    const shop = await service.shop();
    const writes = dying();
    for (let i = 0; i < MOST_OPEN; i++) await put(writes, shop, { ...RENT, expenseId: `app_${i}` });
    expect(await put(writes, shop, RENT)).to.contain('still wait');
    expect(await put(service.stores.settingWrites, shop, RENT)).to.contain('still wait');
    await service.stores.settingWrites.finish(shop.id);
    expect(await listOf(shop)).to.have.length(MOST_OPEN);
    expect(await put(service.stores.settingWrites, shop, RENT)).to.equal(undefined);
  });
});
