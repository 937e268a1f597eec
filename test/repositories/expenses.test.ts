import { expect } from 'chai';
import { createExpenseRegistry, managedExpenseId } from '../../src/repositories/expenses.js';
import { createExpenseStore, type ExpenseStore } from '../../src/warehouse/queries/expenses.js';
import { startService, type Service } from '../support/service.js';

describe('the registry of expenses', () => {
  let service: Service;
  before(async () => {
    service = await startService({ workers: false });
  });
  after(() => service.stop());

  it('removes an expense again where a replica may have missed it, and nothing that never was', async () => {
    const shop = await service.shop();
    const store = createExpenseStore(service.stores.warehouse);
    const removed: string[] = [];
    const remove: ExpenseStore['remove'] = (shopId, expenseId, stamp) => {
      removed.push(expenseId);
      return store.remove(shopId, expenseId, stamp);
    };
    const registry = createExpenseRegistry({ store: { ...store, remove }, settings: service.stores.costSettings });
    await registry.upsert(shop.id, 'rent', {
      name: 'Rent',
      category: 'other',
      amount: '310.00',
      currency: 'EUR',
      frequency: 'monthly',
      startedOn: 20_000,
      endedOn: null,
      countsAsAdSpend: false,
    });
    expect(await registry.remove(shop.id, 'rent')).to.equal(true);
    expect(await registry.remove(shop.id, 'rent'), 'there is none any more').to.equal(false);
    expect(await registry.remove(shop.id, 'never'), 'there was none').to.equal(false);
    const id = managedExpenseId('rent');
    expect(removed).to.deep.equal([id, id]);
    expect(await registry.listAll(shop.id)).to.deep.equal([]);
  });
});
