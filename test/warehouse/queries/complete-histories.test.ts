import { expect } from 'chai';
import { completeHistories } from '../../../src/warehouse/queries/complete-histories.js';
import { startService, type Service } from '../../support/service.js';

describe('the histories of settings', () => {
  let service: Service;
  before(async () => {
    service = await startService({ workers: false });
  });
  after(() => service.stop());

  it('get the states that a write which was cut off has left out, once', async () => {
    const shop = await service.shop();
    const rent = { external_id: 'rent', name: 'Rent', category: 'other', amount: '310', currency: 'EUR' };
    const expense = { ...rent, frequency: 'monthly', started_on: '2026-01-01' };
    const answer = await shop.call('POST', '/v1/costs/expenses', expense);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    const { warehouse } = service.stores;
    const versionsOf = (table: string, version: string): Promise<unknown[]> =>
      warehouse.query(`SELECT DISTINCT ${version} AS version FROM ${table} FINAL WHERE shop_id = {shop:String}`, {
        shop: shop.id,
      });
    for (const table of ['expenses', 'sources']) {
      const stored = await versionsOf(table, 'version');
      expect(stored, table).to.have.length(1);
      await warehouse.command(`DELETE FROM ${table}_history WHERE shop_id = {shop:String}`, { shop: shop.id });
      expect(await versionsOf(`${table}_history`, 'computed_at'), table).to.deep.equal([]);
      for (let turn = 0; turn < 2; turn++) {
        await completeHistories(warehouse);
        expect(await versionsOf(`${table}_history`, 'computed_at'), table).to.deep.equal(stored);
      }
    }
  });
});
