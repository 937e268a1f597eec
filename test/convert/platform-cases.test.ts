import { expect } from 'chai';
import { convertShopify } from '../../src/convert/shopify/convert.js';
import { convertWooCommerce } from '../../src/convert/woocommerce/convert.js';
import type { Conversion } from '../../src/convert/conversion.js';
import { acceptsItem } from './accepts-item.js';
import { casesOf, type Case } from './cases.js';

function check(given: Conversion, expected: Case['expected']): void {
  if ('reason' in expected) {
    expect('hold' in given && given.hold.code, JSON.stringify(given)).to.equal(expected.reason);
    return;
  }
  expect(given).to.deep.equal({ order: expected.order, notes: expected.notes ?? [] });
  if ('order' in given) expect(acceptsItem(given.order)).to.deep.equal([]);
}

describe('the orders of a platform as items', () => {
  for (const { name, why, input, expected } of casesOf('shopify')) {
    if (!('order' in input)) continue;
    it(`shopify ${name}: ${why}`, () => check(convertShopify(input.order, input.options), expected));
  }
  for (const { name, why, input, expected } of casesOf('woocommerce')) {
    const { order, refunds } = input;
    it(`woocommerce ${name}: ${why}`, () => check(convertWooCommerce({ order, refunds }, input.options), expected));
  }
});
