import { expect } from 'chai';
import { gatewayFeeRulesValidator } from '../../src/schemas/gateway-fees.js';
import { reconcileValidator } from '../../src/schemas/reconcile.js';

const found = (faults: readonly { code: string; field?: string }[]) =>
  faults.map(({ code, field }) => `${code} ${field ?? ''}`.trim()).sort();

describe('validators with rules', () => {
  it('name a gateway that appears twice together with what the schema finds', () => {
    const body = {
      rules: [
        { payment_gateway: 'Shop Pay', percent: 1.4, fixed: '0' },
        { payment_gateway: 'shop-pay', percent: '1', fixed: '0' },
        null,
      ],
    };
    expect(found(gatewayFeeRulesValidator.check(body))).to.deep.equal([
      'invalid_type rules[2]',
      'invalid_value rules[1].payment_gateway',
      'money_must_be_string rules[0].percent',
    ]);
    expect(gatewayFeeRulesValidator.is({ rules: [body.rules[1]] })).to.equal(true);
    expect(gatewayFeeRulesValidator.is({ rules: [body.rules[1], body.rules[1]] })).to.equal(false);
  });

  it('name repeated days and orders and a range that is none together with what the schema finds', () => {
    const days = [{ date: '2026-03-01', revenue: 1 }, { date: '2026-03-01' }, 'x'];
    expect(found(reconcileValidator.check({ days }))).to.deep.equal([
      'invalid_type days[2]',
      'invalid_value days[1].date',
      'money_must_be_string days[0].revenue',
    ]);
    const orders = [{ order_id: '1', total: 'x' }, { order_id: '1' }];
    expect(
      found(reconcileValidator.check({ orders, complete_for: { from: '2026-03-02', to: '2026-03-01' } })),
    ).to.deep.equal([
      'invalid_money orders[0].total',
      'invalid_range complete_for',
      'invalid_value orders[1].order_id',
    ]);
    expect(found(reconcileValidator.check({ days, orders, complete_for: {} }))).to.include.members([
      'invalid_request',
      'invalid_value complete_for',
    ]);
  });

  it('find any value of JSON wanting, and nothing more of one that is no object', () => {
    for (const value of [null, 1, 'x', [], [{}], { rules: {} }, { days: 1, orders: null, complete_for: [] }]) {
      expect(gatewayFeeRulesValidator.check(value), JSON.stringify(value)).not.to.deep.equal([]);
      expect(reconcileValidator.check(value), JSON.stringify(value)).not.to.deep.equal([]);
    }
  });
});
