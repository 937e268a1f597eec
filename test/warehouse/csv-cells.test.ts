import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalDecimal } from '../../src/domain/money.js';
import { toField } from '../../src/http/exports/csv.js';
import { amountText, moneyCell, textCell } from '../../src/warehouse/csv-cells.js';
import { useService } from '../support/service.js';

const EDGES = Array.from(' \t\r\n\v\f\u00a0\u1680\u2003\u2028\u202f\u205f\u3000\ufeff\'"=+-@＝＋－＠,;\\aé😀');
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...EDGES), maxLength: 5 }));

describe('cells of CSV that the warehouse writes', function () {
  this.timeout(120_000);
  const service = useService();

  const cells = async (cell: string, values: readonly string[]): Promise<string[]> => {
    const sql = `SELECT ${cell} AS cell FROM (SELECT arrayJoin({values:Array(String)}) AS v) SETTINGS max_threads = 1`;
    const rows = await service.stores.warehouse.query<{ cell: string }>(sql, { values: [...values] });
    return rows.map((row) => row.cell);
  };

  it('are the texts that the API writes', async () => {
    const all = fc.array(texts, { minLength: 100, maxLength: 200 });
    const property = fc.asyncProperty(all, async (given) => {
      const values = given.map((text) => text.toWellFormed().replaceAll('\0', ''));
      expect(await cells(textCell('v'), values)).to.deep.equal(values.map((text) => toField(text, 'text')));
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('are its amounts, rounded half-up', async () => {
    const micros = [
      '0',
      '1',
      '-1',
      '10',
      '100000',
      '1000000',
      '-1500000',
      '120500000',
      '99999999999999999999999999999999',
    ];
    const amounts = [...micros.map((value) => `${value}.5`), ...micros, '0.49999999', '-0.5', '-0.49999999'].map(
      (value) => ofMillionths(value),
    );
    for (const bits of [128, 256]) {
      const fitting = bits === 256 ? amounts : amounts.filter((text) => text.length < 30);
      const cell = moneyCell(amountText(`round(toDecimal${bits}(v, 14), 6)`));
      expect(await cells(cell, fitting)).to.deep.equal(fitting.map((text) => canonicalDecimal(text)));
    }
    expect(await cells(moneyCell(amountText("CAST(NULL, 'Nullable(Decimal(38, 6))')")), ['x'])).to.deep.equal(['']);
  });
});

/** Millionths as a plain decimal. */
function ofMillionths(micros: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(micros) ?? [];
  const digits = whole.padStart(7, '0');
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}${rest}`;
}
