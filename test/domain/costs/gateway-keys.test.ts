import { expect } from 'chai';
import { gatewayKey } from '../../../src/domain/costs/gateway-keys.js';

describe('the key of a payment gateway', () => {
  it('is the same for spellings with other blanks, dashes and cases', () => {
    for (const name of ['Shopify Payments', ' shopify_payments\t', 'SHOPIFY - payments', 'shopify\u00a0payments']) {
      expect(gatewayKey(name)).to.equal('shopify_payments');
    }
    expect(gatewayKey('Straße ΣΑΣ')).to.equal(gatewayKey('STRASSE σας'));
    expect(gatewayKey('Cafe\u0301')).to.equal(gatewayKey('CAFÉ'));
  });

  it('stays as it is when it is folded again', () => {
    for (const name of ['Shopify Payments', 'Straße', 'ΣΑΣ', 'İyzico', 'ſtripe', '_a - b_']) {
      const key = gatewayKey(name);
      expect(gatewayKey(key)).to.equal(key);
    }
  });
});
