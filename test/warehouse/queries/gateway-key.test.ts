import { expect } from 'chai';
import { gatewayKey } from '../../../src/domain/costs/gateway-keys.js';
import { gatewayKeyOf } from '../../../src/warehouse/queries/gateway-keys.js';
import { literal } from '../../../src/warehouse/sql.js';
import { useService } from '../../support/service.js';

const LAST_CODE_POINT = 0x10ffff;

describe('the key of a payment gateway', () => {
  const service = useService({ workers: false });

  it('is the same for spellings with other blanks, dashes and cases', () => {
    for (const name of ['Shopify Payments', ' shopify_payments\t', 'SHOPIFY - payments', 'shopify\u00a0payments']) {
      expect(gatewayKey(name)).to.equal('shopify_payments');
    }
  });

  it('is the same in the warehouse for every letter that has a case or a composed form', async () => {
    const letters = Array.from({ length: LAST_CODE_POINT }, (_, i) => i + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter(
        (letter) =>
          letter.toUpperCase() !== letter || letter.toLowerCase() !== letter || letter.normalize('NFC') !== letter,
      );
    expect(letters.length).to.be.above(2_000);
    const blanks = Array.from(' \t\n\v\f\r\u00a0\u2003\u3000\u2028\ufeff_-');
    const spaced = blanks.flatMap((blank) => [
      `${blank}A${blank}`,
      `a${blank}${blank}b`,
      `a ${blank}_b`,
      blank,
      `a${blank}b${blank}c`,
    ]);
    const names = [
      ...letters.flatMap((letter) => [letter, `a${letter}b`, `Σ${letter}`, `a${letter}Σ`, `a${letter}\u0301`]),
      ...spaced,
    ];
    const list = names.map(literal).join(',');
    const rows = await service.stores.warehouse.query<{ key: string }>(
      `SELECT ${gatewayKeyOf(`arrayJoin([${list}])`)} AS key`,
    );
    expect(rows.map(({ key }) => key)).to.deep.equal(names.map(gatewayKey));
  });
});
