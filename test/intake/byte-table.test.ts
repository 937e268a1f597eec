import { expect } from 'chai';
import fc from 'fast-check';
import { createByteTable } from '../../src/intake/byte-table.js';
import { runs } from '../support/runs.js';

describe('a byte table', () => {
  const viewOf = (text: string): DataView => new DataView(new Uint8Array(Buffer.from(`..${text}.`)).buffer);

  it('never gives the value of another text, and forgets only when it is full', () => {
    const step = fc.record({
      text: fc.string({ maxLength: 9 }).map((text) => text.replace(/[^ -~]/g, 'x')),
      isPut: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(4, 100), (list, entries) => {
        const table = createByteTable<string>({ entries, bytes: entries * 9 });
        const model = new Map<string, string>();
        list.forEach(({ text, isPut }, i) => {
          const view = viewOf(text);
          const to = 2 + text.length;
          if (isPut) {
            if (!model.has(text) && model.size === entries) model.clear();
            model.set(text, `${text} ${i}`);
            table.set(view, 2, to, `${text} ${i}`);
          }
          expect(table.get(view, 2, to)).to.equal(model.get(text));
        });
      }),
      { numRuns: runs(300) },
    );
  });

  it('begins anew when its texts take too much room, and leaves out one that never fits', () => {
    const table = createByteTable<number>({ entries: 10, bytes: 8 });
    const put = (text: string, value: number) => table.set(viewOf(text), 2, 2 + text.length, value);
    const get = (text: string) => table.get(viewOf(text), 2, 2 + text.length);
    put('abcdef', 1);
    put('abcdefghi', 2);
    expect([get('abcdef'), get('abcdefghi')]).to.deep.equal([1, undefined]);
    put('ghi', 3);
    expect([get('abcdef'), get('ghi')]).to.deep.equal([undefined, 3]);
  });
});
