import { expect } from 'chai';
import fc from 'fast-check';
import { CsvError, parseCsv } from '../../../src/cli/import/csv.js';

async function parse(...chunks: string[]): Promise<string[][]> {
  const records: string[][] = [];
  for await (const { fields } of parseCsv(chunks)) records.push(fields);
  return records;
}

async function failure(text: string): Promise<unknown> {
  return parse(text).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('parseCsv', () => {
  it('reads quoted fields with commas, doubled quotes and line breaks', async () => {
    expect(await parse('a,"b,c","say ""hi""","two\nlines"\r\n1,,"",4\n')).to.deep.equal([
      ['a', 'b,c', 'say "hi"', 'two\nlines'],
      ['1', '', '', '4'],
    ]);
  });

  it('takes a last line without a line end, and leaves empty lines out', async () => {
    expect(await parse('a,b\n\n\r\nc,d')).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('knows the line on which a record begins', async () => {
    const lines: number[] = [];
    for await (const { line } of parseCsv(['h\n"a\nb"\n\nc\n'])) lines.push(line);
    expect(lines).to.deep.equal([1, 2, 5]);
  });

  it('names the line of broken records', async () => {
    const cases: [string, string][] = [
      ['a\n"b"c\n', 'Invalid Closing Quote: got "c" at line 2'],
      ['a\nb\n"c', 'Quote Not Closed: the parsing is finished with an opening quote at line 3'],
      ['6" nail,x\n', 'Invalid Opening Quote: a quote is found on field 0 at line 1'],
      [`a\n"${'x'.repeat(2_000_000)}`, 'record exceed the maximum number of tolerated bytes of 1000000 at line 2'],
    ];
    for (const [text, message] of cases) {
      const error = await failure(text);
      expect(error).to.be.instanceOf(CsvError);
      expect((error as CsvError).message).to.contain(message);
    }
  });

  it('reads back whatever was written, however the text is cut into chunks', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '£') });
    const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 7 }), async (records, size) => {
        const text = records.map((r) => r.map((f) => `"${f.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
          text.slice(i * size, (i + 1) * size),
        );
        expect(await parse(...chunks)).to.deep.equal(records);
      }),
    );
  });
});
