import { expect } from 'chai';
import { completeHistories } from '../../../src/warehouse/queries/complete-histories.js';
import { useService } from '../../support/service.js';

describe('the histories of settings', () => {
  const service = useService({ workers: false });

  it('get the states that a write which was cut off has left out, once', async () => {
    const shop = await service.shop();
    const rent = { external_id: 'rent', name: 'Rent', category: 'other', amount: '310', currency: 'EUR' };
    const expense = { ...rent, frequency: 'monthly', started_on: '2026-01-01' };
    const answer = await shop.call('POST', '/v1/costs/expenses', expense);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    const { warehouse } = service.stores;
    const versionsOf = (table: string, version = 'computed_at', kind = 'kind'): Promise<unknown[]> =>
      warehouse.query(
        `SELECT DISTINCT ${kind} AS kind, ${version} AS version FROM ${table} FINAL
         WHERE shop_id = {shop:String} ORDER BY kind`,
        { shop: shop.id },
      );
    const stored = [
      ...(await versionsOf('expenses', 'version', "'expense'")),
      ...(await versionsOf('sources', 'version', "'source'")),
    ];
    expect(stored).to.have.length(2);
    expect(await versionsOf('settings_history')).to.deep.equal(stored);
    await warehouse.command('DELETE FROM settings_history WHERE shop_id = {shop:String}', { shop: shop.id });
    expect(await versionsOf('settings_history')).to.deep.equal([]);
    for (let turn = 0; turn < 2; turn++) {
      await completeHistories(warehouse);
      expect(await versionsOf('settings_history')).to.deep.equal(stored);
    }
  });
});
