import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkOrderRules, looksLikePhone } from '../../../src/domain/orders/order-rules.js';

const NOW = Date.UTC(2026, 2, 15, 12) * 1000;
const context = { currency: 'EUR', nowMicros: NOW };
const base = {
  order_id: '1',
  placed_at: '2026-03-01T00:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: 'a', quantity: '2', unit_price: '5' }],
  total: '10',
};
const codes = (fields: object): string[] =>
  checkOrderRules({ ...base, ...fields }, context).map(({ code, field }) =>
    field === undefined ? code : `${code} ${field}`,
  );

describe('the sum identity of an order', () => {
  it('adds what is to be added and takes off what is to be taken off', () => {
    expect(codes({})).to.deep.equal([]);
    const parts = { shipping: '1', tips: '2', duties: '3', rounding_adjustment: '0.01', discounts: '4' };
    expect(codes({ ...parts, total: '12.01' })).to.deep.equal([]);
    expect(codes({ ...parts, tax: '7', total: '19.01' })).to.deep.equal([]);
    expect(codes({ ...parts, tax: '7', taxes_included: false, total: '19.01' })).to.deep.equal([]);
    expect(codes({ ...parts, tax: '7', taxes_included: true, total: '12.01' })).to.deep.equal([]);
    expect(codes({ line_items: [{ line_id: 'a', quantity: '2', unit_price: '5', line_discount: '0.5' }], total: '9.5' })).to.deep.equal([]); // prettier-ignore
  });

  it('tolerates nothing, and shows both sums', () => {
    const [error] = checkOrderRules({ ...base, total: '10.000001' }, context);
    expect(error).to.deep.include({ code: 'sum_mismatch', field: 'total', computed: '10.00', supplied: '10.000001' });
    const tiny = { line_items: [{ line_id: 'a', quantity: '0.000001', unit_price: '0.000001' }], total: '0' };
    expect(checkOrderRules({ ...base, ...tiny }, context)[0]).to.deep.include({
      computed: '0.000000000001',
      supplied: '0',
    });
    const negative = { discounts: '10.5', total: '0' };
    expect(checkOrderRules({ ...base, ...negative }, context)[0]).to.deep.include({ computed: '-0.50' });
  });

  it('stays silent where one of its parts is malformed, since the schema tells that', () => {
    for (const fields of [
      { total: 11 },
      { total: 'x' },
      { shipping: '-1' },
      { tax: 5, total: '0' },
      { taxes_included: 'yes', total: '0' },
      { line_items: [] },
      { line_items: 'none' },
      { line_items: [{ line_id: 'a', quantity: '1' }] },
      { line_items: [null], total: '0' },
    ]) {
      expect(codes(fields), JSON.stringify(fields)).to.deep.equal([]);
    }
  });

  it('equals exact decimal arithmetic', () => {
    const money = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 999_999 }));
    const text = money.map(([int, micros]) => `${int}.${String(micros).padStart(6, '0')}`);
    const line = fc.record({ line_id: fc.uuid(), quantity: text, unit_price: text }, { noNullPrototype: true });
    const parts = { tips: text, duties: text, shipping: text, discounts: text, tax: text };
    const order = fc.record(
      { line_items: fc.array(line, { minLength: 1, maxLength: 5 }), ...parts },
      { noNullPrototype: true },
    );
    const exact = Big();
    exact.NE = -1e6;
    exact.PE = 1e6;
    fc.assert(
      fc.property(order, ({ line_items, tips, duties, shipping, discounts, tax }) => {
        const sum = line_items
          .reduce((total, { quantity, unit_price }) => total.plus(exact(quantity).times(unit_price)), exact(0))
          .plus(tips).plus(duties).plus(shipping).plus(tax).minus(discounts); // prettier-ignore
        const [error] = checkOrderRules(
          { ...base, line_items, tips, duties, shipping, discounts, tax, total: '0' },
          context,
        );
        if (sum.eq(0)) expect(error).to.equal(undefined);
        else expect(exact(error?.computed ?? NaN).eq(sum)).to.equal(true);
      }),
    );
  });
});

describe('the rules of an order', () => {
  it('bounds its times', () => {
    const late = '2026-03-16T12:00:00.000001Z';
    const last = '2026-03-16T12:00:00Z';
    expect(codes({ placed_at: last, updated_at: last })).to.deep.equal([]);
    expect(codes({ placed_at: late })).to.deep.equal(['invalid_timestamp placed_at']);
    expect(codes({ placed_at: '1999-12-31T23:59:59.999999Z' })).to.deep.equal(['invalid_timestamp placed_at']);
    expect(codes({ placed_at: '2000-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(codes({ updated_at: late })).to.deep.equal(['invalid_timestamp updated_at']);
    expect(codes({ updated_at: '1999-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(codes({ refunds: [{ refund_id: 'r', refunded_at: late, total: '1' }] })).to.deep.equal(['invalid_timestamp refunds[0].refunded_at']); // prettier-ignore
  });

  it('require the currency of the source', () => {
    expect(codes({ currency: 'USD' })).to.deep.equal(['currency_mismatch currency']);
    for (const currency of ['eur', 'ZZZ', '', 5, null]) expect(codes({ currency }), String(currency)).to.deep.equal([]);
  });

  it('wants unique lines and refunds, and refunds of lines that exist', () => {
    const line = { line_id: 'a', quantity: '1', unit_price: '5' };
    expect(codes({ line_items: [line, line] })).to.deep.equal(['duplicate_line_id line_items[1].line_id']);
    const refund = { refund_id: 'r', refunded_at: base.placed_at, total: '1' };
    expect(codes({ refunds: [refund, { ...refund, refund_id: 's' }, refund] })).to.deep.equal(['duplicate_refund_id refunds[2].refund_id']); // prettier-ignore
    expect(codes({ refunds: [{ ...refund, line_items: [{ line_id: 'a', quantity: '1' }, { line_id: 'z', quantity: '1' }] }] })).to.deep.equal(['unknown_line_id refunds[0].line_items[1].line_id']); // prettier-ignore
  });

  it('repeats little of what it refuses', () => {
    const id = 'x'.repeat(100_000);
    const line = { line_id: id, quantity: '1', unit_price: '5' };
    expect(JSON.stringify(checkOrderRules({ ...base, line_items: [line, line] }, context)).length).to.be.below(500);
  });

  const PERSONAL = [
    'a@b.de', '@', 'John Doe', ' c-1', 'c-1 ', 'a\tb', 'a\u00a0b', '+4917012345', '+49-170-1234567', '+49(170)1234567',
    '+49/170/1234567', '+49.170.1234567', '+1234567', '030-1234567', '(030)1234567', '030.123.4567', '555-1234',
    '(+49)1701234567', '123-456-789-012-345', 'a＠b.de', '﹫', '＋4917012345', '+４９１７０１２３４５', '+٤٩١٧٠١٢٣٤٥', 'a\u3000b',
  ]; // prettier-ignore
  const OPAQUE = [
    'c-42', '1234567', '123456789012345', '12345678901234567890', 'gid://shop/Customer/12345', 'a1b2c3d4-e5f6-7890-abcd-ef1234567890',
    '123-456', '+123456', '+12345678901234567', '1-2345678901234567', 'user_1234567', '+a1234567', 'x', '-', '5d41402abc4b2a76b9719d911017c592',
  ]; // prettier-ignore
  for (const id of PERSONAL) {
    it(`takes ${JSON.stringify(id)} for personal data`, () => {
      expect(codes({ customer: { id } })).to.deep.equal(['pii_rejected customer.id']);
    });
  }
  it('leaves an id that is too long for its form to the schema', () => {
    expect(codes({ customer: { id: '⑴'.repeat(1_000_000) } })).to.deep.equal([]);
  });
  for (const id of OPAQUE) {
    it(`takes ${JSON.stringify(id)} for an opaque id`, () => {
      expect(codes({ customer: { id } })).to.deep.equal([]);
      expect(looksLikePhone(id)).to.equal(false);
    });
  }

  it('takes any JSON value without failing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.record({ line_items: fc.jsonValue(), refunds: fc.jsonValue(), customer: fc.jsonValue(), total: fc.jsonValue() }), (value, fields) => {
        expect(checkOrderRules(value, context)).to.be.an('array');
        expect(checkOrderRules({ ...base, ...fields }, context)).to.be.an('array');
      }),
    ); // prettier-ignore
  });
});
