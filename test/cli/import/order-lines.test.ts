import { expect } from 'chai';
import fc from 'fast-check';
import { readOrderBatches, type LineBatch } from '../../../src/cli/import/order-lines.js';

async function collect(
  text: Buffer,
  chunkSize: number,
  start: { line: number; offset: number } = { line: 0, offset: 0 },
): Promise<LineBatch[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    for (let from = start.offset; from < text.length; from += chunkSize) yield text.subarray(from, from + chunkSize);
  }
  const batches: LineBatch[] = [];
  for await (const batch of readOrderBatches(chunks(), { maxOrders: 3, maxBytes: 40, start })) batches.push(batch);
  return batches;
}

const shown = (batches: LineBatch[]) =>
  batches.flatMap(({ orders, rejected }) =>
    [
      ...orders.map((o) => [o.line, o.bytes.toString()] as const),
      ...rejected.map((r) => [r.line, r.order] as const),
    ].sort(([a], [b]) => a - b),
  );

const anyLine = fc.oneof(
  fc.json({ maxDepth: 1 }),
  fc.constantFrom('', ' ', '\r', '{"a":', '{}\r', '{"é":"£"}'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('\n', '')),
);

describe('readOrderBatches', () => {
  it('reads the same lines however the file is cut into chunks, and from every place where a batch ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), async (lines, size) => {
        const text = Buffer.from(lines.join('\n'));
        const whole = await collect(text, 1_000);
        expect(shown(await collect(text, size))).to.deep.equal(shown(whole));
        for (const [index, { endLine: line, endOffset: offset }] of whole.entries()) {
          expect(shown(await collect(text, size, { line, offset }))).to.deep.equal(shown(whole.slice(index + 1)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('numbers the lines of the file, empty ones included, and bounds the batches', async () => {
    const batches = await collect(
      Buffer.from('1\n\n2\n3\n4\n"a line of its own, longer than a batch may be"\n5\nx\n'),
      7,
    );
    expect(batches.map(({ orders }) => orders.map((order) => order.line))).to.deep.equal([[1, 3, 4], [5], [6], [7]]);
    expect(batches.at(-1)).to.deep.include({ endLine: 8, endOffset: 61 });
    expect(batches.at(-1)?.rejected[0]).to.deep.include({ line: 8, order: '"x"' });
  });
});
