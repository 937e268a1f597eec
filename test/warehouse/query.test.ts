import { expect } from 'chai';
import { Type } from 'typebox';
import { defineQuery, nullable } from '../../src/warehouse/query.js';
import { checkRows } from '../support/query-rows.js';
import { textsBelow } from '../support/texts-below.js';

describe('queries of the warehouse', () => {
  it('have names that no other has', async () => {
    const sources = [...(await textsBelow('src')), ...(await textsBelow('workers'))];
    const names = sources.flatMap((text) =>
      Array.from(text.matchAll(/defineQuery\(\s*'([^']*)'/g), ([, name]) => name),
    );
    expect(names).to.have.length.above(60);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).to.deep.equal([]);
  });

  it('are answered with rows of their schema, or the test that asks fails', () => {
    const query = defineQuery('mugs', { sku: Type.String(), cost: nullable(Type.String()) })('SELECT …');
    checkRows(query, [
      { sku: 'mug', cost: '4.10' },
      { sku: 'tea', cost: null },
    ]);
    for (const row of [{ sku: 'mug' }, { sku: 'mug', cost: 4.1 }, { sku: 'mug', cost: '4.10', stock: 1 }])
      expect(() => checkRows(query, [row]), JSON.stringify(row)).to.throw('rows of "mugs" are not of their schema');
  });
});
