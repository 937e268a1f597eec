import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { unguarded } from '../../../src/domain/formula.js';
import type { Column } from '../../../src/http/exports/columns.js';
import { toCsv, toField } from '../../../src/http/exports/csv.js';

const COLUMNS: Column[] = [
  { name: 'text', kind: 'text', path: ['text'] },
  { name: 'amount', kind: 'decimal', path: ['amount'] },
];

const formulas = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '＝', 'a', '\t'), minLength: 1 });

describe('CSV', () => {
  it('leaves negative amounts as they are', () => {
    expect(toField('-1.50', 'decimal')).to.equal('-1.50');
    expect(toField(-3, 'integer')).to.equal('-3');
  });

  it('defuses texts that a spreadsheet would run', () => {
    for (const text of ['=1', '+1', '-1', '@x', '＝1', '＋1', '－1', '＠x']) {
      expect(toField(text, 'text')).to.equal(`'${text}`);
    }
    for (const text of ['\t=1', '\r=1', '\n=1']) expect(toField(text, 'text')).to.equal(`"'${text}"`);
    expect(toField(' =1', 'text')).to.equal('" =1"');
    expect(toField('a=1', 'text')).to.equal('a=1');
  });

  it('gives back every text, once the apostrophe before a formula is gone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), formulas)), async (texts) => {
        const rows = texts.map((text) => ({ text, amount: '-1.00' }));
        const parts: string[] = [];
        const pages = (async function* () {
          yield await Promise.resolve(rows);
        })();
        for await (const part of toCsv(COLUMNS, pages)) parts.push(part);
        const read: Record<string, string>[] = parse(parts.join(''), { columns: true, record_delimiter: '\r\n' });
        expect(read.map(({ text = '', amount }) => ({ text: unguarded(text), amount }))).to.deep.equal(rows);
      }),
    );
  });
});
