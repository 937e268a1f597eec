import { expect } from 'chai';
import { Order, orderBatchValidator, orderValidator } from '../../src/schemas/orders.js';
import { fieldPath, validator } from '../../src/schemas/validator.js';

const order = (fields: object = {}) => ({
  order_id: '1',
  placed_at: '2026-03-01T00:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: 'a', quantity: '2', unit_price: '5' }],
  total: '10',
  ...fields,
});
const faults = (fields: object): string[] =>
  orderValidator.check(order(fields)).map(({ code, field }) => `${code} ${field ?? ''}`.trim());

describe('the validator', () => {
  const TABLE: [object, string[]][] = [
    [{}, []],
    [{ order_id: undefined }, ['missing_field order_id']],
    [{ order_id: '' }, ['invalid_value order_id']],
    [{ order_id: 5 }, ['invalid_type order_id']],
    [{ order_id: null }, ['invalid_type order_id']],
    [{ order_id: 'x'.repeat(255) }, []],
    [{ order_id: '😀'.repeat(255) }, []],
    [{ order_id: 'x'.repeat(256) }, ['invalid_value order_id']],
    [{ order_id: 'a\u0000b' }, ['invalid_value order_id']],
    [{ order_id: 'a\u007fb' }, ['invalid_value order_id']],
    [{ order_id: '\ud800' }, ['invalid_value order_id']],
    [{ colour: 'red' }, ['unknown_field colour']],
    [JSON.parse('{"__proto__":{"order_id":"2"}}') as object, ['unknown_field __proto__']],
    [{ constructor: 1 }, ['unknown_field constructor']],
    [{ toString: 1 }, ['unknown_field toString']],
    [{ 'a/b~1c': 1 }, ['unknown_field a/b~1c']],
    [{ 0: 1 }, ['unknown_field 0']],
    [{ total: 10 }, ['money_must_be_string total']],
    [{ total: true }, ['invalid_type total']],
    [{ total: '-1' }, ['invalid_money total']],
    [{ total: '1e3' }, ['invalid_money total']],
    [{ total: '1.0000001' }, ['invalid_money total']],
    [{ line_items: [{ line_id: 'a', quantity: 2, unit_price: 5 }] }, ['invalid_type line_items[0].quantity', 'money_must_be_string line_items[0].unit_price']],
    [{ line_items: [{ line_id: 'a', quantity: '-2', unit_price: '' }] }, ['invalid_quantity line_items[0].quantity', 'invalid_money line_items[0].unit_price']],
    [{ line_items: [] }, ['line_count line_items']],
    [{ line_items: Array.from({ length: 501 }, (_, i) => ({ line_id: String(i), quantity: '1', unit_price: '1' })) }, ['line_count line_items']],
    [{ line_items: {} }, ['invalid_type line_items']],
    [{ placed_at: '2026-03-01T00:00:00' }, ['invalid_timestamp placed_at']],
    [{ placed_at: 5 }, ['invalid_type placed_at']],
    [{ currency: 'eur' }, ['invalid_value currency']],
    [{ currency: 'ZZZ' }, ['invalid_value currency']],
    [{ currency: 'XCG' }, []],
    [{ status: 'refunded' }, ['invalid_value status']],
    [{ status: 5 }, ['invalid_type status']],
    [{ is_test: 'no' }, ['invalid_type is_test']],
    [{ customer: { id: 'x'.repeat(129) } }, ['invalid_value customer.id']],
    [{ customer: { id: 'c', email: 'e' } }, ['unknown_field customer.email']],
    [{ order_name: '\ud83d' }, ['invalid_value order_name']],
    [{ payment_gateway: 'a\ude00b', customer: { id: '\ud800' } }, ['invalid_value customer.id', 'invalid_value payment_gateway']],
    [{ order_name: 'a\tb\n😀' }, []],
    [{ '\ud83d': 1 }, ['unknown_field \ufffd']],
    [{ [`${'x'.repeat(99)}😀`]: 1 }, [`unknown_field ${'x'.repeat(99)}\ufffd…`]],
    [{ customer: {} }, ['missing_field customer.id']],
    [{ customer: [] }, ['invalid_type customer']],
    [{ subscription_id: null }, []],
    [{ subscription_id: 5 }, ['invalid_type subscription_id']],
    [{ title: 'x' }, ['unknown_field title']],
    [{ order_name: 'x'.repeat(1001) }, ['invalid_value order_name']],
    [{ refunds: [{}] }, ['missing_field refunds[0].refund_id', 'missing_field refunds[0].refunded_at', 'missing_field refunds[0].total']],
    [{ refunds: [{ refund_id: 'r', refunded_at: '2026-03-01T00:00:00Z', total: '1', line_items: [{ line_id: 'a' }] }] }, ['missing_field refunds[0].line_items[0].quantity']],
  ]; // prettier-ignore
  it('names our field where an unknown one is what platforms call it, or says that it is never taken', () => {
    const messages = (fields: object): string[] =>
      orderValidator.check(order(fields)).flatMap(({ code, message }) => (code === 'unknown_field' ? message : []));
    expect(
      messages({ total_price: '1', financialStatus: 'paid', orderName: '#1', colour: 1, constructor: 1 }),
    ).to.deep.equal([
      'total_price is not a field of this request; it is called total here.',
      'financialStatus is not a field of this request; it is called status here.',
      'orderName is not a field of this request; it is called order_name here.',
      'colour is not a field of this request; remove it.',
      'constructor is not a field of this request; remove it.',
    ]);
    const line = { line_id: 'a', quantity: '1', unit_price: '1', price: '1', id: 1 };
    const refund = { refund_id: 'r', refunded_at: '2026-03-01T00:00:00Z', total: '1', id: 1 };
    expect(
      messages({ email: 'a@b.c', customer: { id: 'c', first_name: 'A' }, line_items: [line], refunds: [refund] }),
    ).to.deep.equal([
      'email is never taken: it says who bought, and nothing personal is kept; remove it.',
      'customer.first_name is never taken: it says who bought, and nothing personal is kept; remove it.',
      'line_items[0].price is not a field of this request; it is called unit_price here.',
      'line_items[0].id is not a field of this request; it is called line_id here.',
      'refunds[0].id is not a field of this request; it is called refund_id here.',
    ]);
    for (const name of 'id name total_price created_at financial_status gateway test'.split(' ')) {
      expect(messages({ [name]: 1 })[0], name).to.contain('it is called');
    }
  });

  TABLE.forEach(([fields, expected], i) => {
    const text = JSON.stringify(fields);
    it(`case ${i + 1}: ${text.length > 90 ? `${text.slice(0, 90)}…` : text}`, () => {
      const sent = JSON.parse(JSON.stringify(order(fields))) as object;
      const found = orderValidator.check(sent).map(({ code, field }) => `${code} ${field ?? ''}`.trim());
      expect(found.sort()).to.deep.equal([...expected].sort());
    });
  });

  it('tells all faults of a value at once, and only then', () => {
    expect(faults({ total: 1, tax: 'x', colour: 1, status: 'x' })).to.have.length(4);
  });

  it('repeats what was sent, at most 100 characters of it, and names what it lacks', () => {
    const message = (fields: object): string => orderValidator.check(order(fields))[0]?.message ?? '';
    expect(message({ placed_at: '2026-03-01 12:00' })).to.match(/^placed_at must .+; it is "2026-03-01 12:00"\.$/);
    expect(message({ total: '1,50' })).to.include('it is "1,50".');
    expect(message({ total: 1.5 })).to.include('not the number 1.5.');
    expect(message({ currency: 'Euro' })).to.include('it is "Euro".');
    expect(message({ status: 'refunded' })).to.include('it is "refunded".');
    expect(message({ is_test: 'no' })).to.include('it is "no".');
    expect(message({ order_id: 5 })).to.include('it is the number 5.');
    expect(message({ placed_at: 'x'.repeat(5_000) }).length).to.be.below(400);
  });

  it('tells to leave an optional field out that is null or empty, and not a required one', () => {
    const message = (fields: object): string => orderValidator.check(order(fields))[0]?.message ?? '';
    const hint = 'Leave the field out where its value is not known.';
    const line = { line_id: 'a', quantity: '2', unit_price: '5' };
    const optional = [{ gateway_fee: null }, { gateway_fee: '' }, { updated_at: null }, { updated_at: '' }, { customer: null }, { is_test: null }, { order_name: null }, { line_items: [{ ...line, unit_cost: '' }] }, { line_items: [{ ...line, sku: null }] }]; // prettier-ignore
    for (const fields of optional) expect(message(fields), JSON.stringify(fields)).to.include(hint);
    for (const fields of [{ total: null }, { total: '' }, { order_id: null }, { order_id: '' }, { gateway_fee: 'x' }]) {
      expect(message(fields), JSON.stringify(fields)).not.to.equal('').and.not.to.include(hint);
    }
  });

  it('names the value itself where the fault is at its root', () => {
    expect(orderBatchValidator.check([])).to.deep.equal([
      { code: 'invalid_type', message: 'The body must be of type object; it is a list.' },
    ]);
    expect(orderBatchValidator.check({ orders: [] })[0]?.message).to.equal('orders must hold 1 to 250 entries.');
  });

  it('keeps its answer small, whatever is sent', () => {
    const size = (value: unknown): number => JSON.stringify(orderValidator.check(value)).length;
    expect(size(order({ line_items: Array.from({ length: 1_000_000 }, () => 1) }))).to.be.below(1_000);
    expect(size(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, 1])))).to.be.below(1_000);
    expect(size(order({ ['x'.repeat(1_000_000)]: 1 }))).to.be.below(1_000);
    const bad = { line_id: 1, quantity: 1, unit_price: 1, sku: 1 };
    const many = orderValidator.check(order({ line_items: Array.from({ length: 500 }, () => bad) }));
    expect(many).to.have.length(1_000);
    expect(orderValidator.check(order({ line_items: Array.from({ length: 100 }, () => bad) }))).to.have.length(400);
    expect(orderValidator.check(order({ total: 1, tax: 1 }), 1)).to.have.length(1);
  });

  it('does not judge an envelope by the size of its items', () => {
    const big = { orders: [Array.from({ length: 50_000 }, () => 1)], colour: 1, shape: 2 };
    expect(orderBatchValidator.check(big)).to.have.length(2);
  });

  it('writes paths as code does', () => {
    expect(fieldPath('')).to.equal('');
    expect(fieldPath('/a/0/b/12/c')).to.equal('a[0].b[12].c');
    expect(fieldPath('/a/0', '7')).to.equal('a[0].7');
    expect(fieldPath('', '7')).to.equal('7');
    expect(fieldPath(`/statuses/${'x'.repeat(101)}`)).to.equal(`statuses.${'x'.repeat(100)}…`);
  });

  it('never changes what it checks', () => {
    const value = Object.freeze(order({ colour: 1, total: 5 }));
    const before = JSON.stringify(value);
    validator(Order).check(value);
    expect(JSON.stringify(value)).to.equal(before);
  });
});
