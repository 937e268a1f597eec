import { expect } from 'chai';
import { chunksOf } from '../../../src/warehouse/backup/snapshot.js';

const part = (name: string, rows: number, bytes: number) => ({ name, rows: String(rows), bytes: String(bytes) });

describe('chunks of a copied table', () => {
  it('cuts a large part into ranges that hold every row once', () => {
    const chunks = chunksOf([part('a', 1_000, 100_000)], 30_000);
    expect(chunks.map(({ ranges }) => ranges)).to.deep.equal([
      [{ part: 'a', from: 0, to: 300 }],
      [{ part: 'a', from: 300, to: 600 }],
      [{ part: 'a', from: 600, to: 900 }],
      [{ part: 'a', from: 900, to: 1_000 }],
    ]);
    expect(chunks.reduce((sum, { rows }) => sum + rows, 0)).to.equal(1_000);
  });

  it('joins small parts in the order in which they were written', () => {
    const chunks = chunksOf([part('a', 10, 100), part('b', 20, 200), part('c', 30, 300)], 450);
    expect(chunks).to.deep.equal([
      {
        ranges: [
          { part: 'a', from: 0, to: 10 },
          { part: 'b', from: 0, to: 20 },
          { part: 'c', from: 0, to: 15 },
        ],
        rows: 45,
      },
      { ranges: [{ part: 'c', from: 15, to: 30 }], rows: 15 },
    ]);
  });

  it('takes a row that is larger than a chunk by itself', () => {
    const chunks = chunksOf([part('a', 3, 3_000)], 100);
    expect(chunks.map(({ rows }) => rows)).to.deep.equal([1, 1, 1]);
    expect(chunksOf([])).to.deep.equal([]);
  });
});
