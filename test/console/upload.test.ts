import { expect } from 'chai';
import { readAmount } from '../../src/domain/csv/amounts.js';
import { UPLOADS } from '../../src/console/web/upload/kinds.js';
import { batchesOf, readLines } from '../../src/console/web/upload/lines.js';
import { MAX_LINES, readCsv } from '../../src/domain/csv/read-csv.js';

describe('a file that is uploaded', () => {
  const fieldsOf = (text: string) => {
    const records = readCsv(text);
    return typeof records === 'string' ? records : records.map(({ line, fields }) => `${line}: ${fields.join('|')}`);
  };

  it('is read as RFC 4180 has it, with each usual separator and end of line', () => {
    expect(fieldsOf('\uFEFFsku,unit_cost\r\nA,1\r\n\r\n"B ""b"", x",2')).to.deep.equal([
      '1: sku|unit_cost',
      '2: A|1',
      '4: B "b", x|2',
    ]);
    expect(fieldsOf('sku;cost\n"a\nb";1,5\nc;')).to.deep.equal(['1: sku|cost', '2: a\nb|1,5', '4: c|']);
    expect(fieldsOf('sku\tcost\nA\t1\n')).to.deep.equal(['1: sku|cost', '2: A|1']);
  });

  it('says what is wrong with the whole of it', () => {
    expect(fieldsOf('')).to.equal('The file has no lines below its header.');
    expect(fieldsOf('a,b\n"x,1')).to.match(/^Line 2 has a quote/);
    expect(fieldsOf('a,b\nx"y,1')).to.match(/^Line 2 has a quote/);
    expect(fieldsOf('a,b\n\uFFFD,1')).to.match(/UTF-8/);
    expect(fieldsOf(`a\n${'x\n'.repeat(MAX_LINES + 5)}`)).to.match(/more than 10000 lines/);
    expect(readLines('sku\nA', UPLOADS.costs, {})).to.equal('The first line names no column unit_cost. It has: sku.');
  });

  it('has amounts that are read where they mean one thing, asked where they mean two, and refused else', () => {
    const read = (cell: string) => {
      const reading = readAmount(cell, {});
      if (reading === null) return 'none';
      return 'value' in reading ? reading.value : `${reading.decimal} or ${reading.group}`;
    };
    const cases = {
      '4': '4',
      '4.92': '4.92',
      '0.125': '0.125',
      '0,5': '0.5',
      '4,92': '4.92 or 492',
      '1,234': '1.234 or 1234',
      '1.234': '1.234 or 1234',
      '1234.567': '1234.567',
      '1,234.56': '1234.56',
      '1.234,56': '1234.56',
      '1,234,567': '1234567',
      '1.234.567': '1234567',
      '1 234.5': '1234.5',
      '£4.92': '4.92',
      '4.92 €': '4.92',
      '1,23,4': 'none',
      '1.2.3,4': 'none',
      '-4': 'none',
      '1e3': 'none',
      '4.': 'none',
      four: 'none',
    };
    expect(Object.fromEntries(Object.keys(cases).map((cell) => [cell, read(cell)]))).to.deep.equal(cases);
    expect(readAmount('4,92', { ',': 'decimal' })).to.deep.equal({ value: '4.92' });
    expect(readAmount('4,92', { ',': 'group' })).to.deep.equal({ value: '492' });
  });

  it('has each fault of a line, by the rules of the API, and of what it sends the types', () => {
    const head = 'external_id,name,category,amount,currency,frequency,started_on,counts_as_ad_spend';
    const file = [
      head,
      'a,A,TOOLS,1,EUR,weekly,2026-01-01,1',
      `b,${'ü'.repeat(255)},other,1,EUR,weekly,2026-01-01,no`,
      `c,${'ü'.repeat(256)},other,1234567890123456,EURO,weekly,2149-01-01,`,
      'd,"A\nB",other,1.0000001,EUR,weekly,2026-01-01,constructor',
    ];
    const lines = readLines(file.join('\n'), UPLOADS.expenses, {});
    if (typeof lines === 'string') throw new Error(lines);
    expect(lines[0]?.item).to.include({ category: 'tools', counts_as_ad_spend: true });
    expect(lines.map(({ fault }) => fault)).to.deep.equal([
      null,
      null,
      'Expense has more than 255 characters. Amount has more than 15 digits, or 6 decimals. ' +
        'Currency is no code such as EUR, in upper case. First day must lie between 1970-01-01 and 2148-12-31.',
      'Expense has a line break or another character that is no text. Amount has more than 15 digits, or 6 decimals. ' +
        'Counts as ads is neither true nor false.',
    ]);
    const many = `${head}\n${'a,A,tools,1,EUR,weekly,2026-01-01,1\n'.repeat(501)}`;
    expect(readLines(many, UPLOADS.expenses, {})).to.equal('The file has more than 500 lines. Split it.');
  });

  it('is sent without the lines that cannot be used, those of one SKU together', () => {
    const rows = Array.from({ length: 999 }, (_, i) => `S${String(i).padStart(4, '0')},1,`);
    const file = ['SKU,Unit cost,effective_from', ...rows, 'T,2,', 'T,3,2026-01-01', ',4,', 'U,x,', 'V,"4,92",'];
    const lines = readLines(file.join('\n'), UPLOADS.costs, {});
    if (typeof lines === 'string') throw new Error(lines);
    expect(lines.filter(({ fault, open }) => fault ?? open).map(({ line, fault }) => [line, fault])).to.deep.equal([
      [1003, 'SKU is empty.'],
      [1004, 'New cost is no amount.'],
      [1005, null],
    ]);
    expect(batchesOf(lines, UPLOADS.costs).map((batch) => batch.length)).to.deep.equal([999, 2]);
  });
});
