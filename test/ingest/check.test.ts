import { expect } from 'chai';
import type { ErrorDetail } from '../../src/errors.js';
import { checkItems } from '../../src/ingest/check.js';
import type { Items } from '../../src/body/items.js';
import { NEVER_YIELDS } from '../../src/body/yielding.js';

function itemsOf(length: number): Items {
  const read = (value: number) => ({ value });
  return {
    length,
    read,
    *[Symbol.iterator]() {
      for (let i = 0; i < length; i++) yield read(i);
    },
  };
}

/** How many faults are told of each of so many items that have `faults` with texts of `characters` each. */
async function told(items: number, faults: number, characters: number): Promise<number[]> {
  const fault: ErrorDetail = { code: 'invalid_value', message: 'x'.repeat(characters) };
  const counts: number[] = [];
  await checkItems(
    itemsOf(items),
    NEVER_YIELDS,
    (_value, limit) => Array<ErrorDetail>(Math.min(limit, faults)).fill(fault),
    (_value, found) => counts.push(found.length),
  );
  return counts;
}

describe('the faults of a batch', () => {
  it('are all told where they are few', async () => {
    expect(await told(250, 10, 100)).to.deep.equal(Array<number>(250).fill(10));
  });

  it('are told up to 1,000 of an item and 2,500 of a batch, and at least one of each item', async () => {
    expect(await told(6, 5_000, 10)).to.deep.equal([1_000, 1_000, 500, 1, 1, 1]);
  });

  it('are told one of each item once their texts are long', async () => {
    const counts = await told(250, 10, 1_000);
    expect(counts.slice(0, 40)).to.deep.equal(Array<number>(40).fill(10));
    expect(counts.slice(40)).to.deep.equal(Array<number>(210).fill(1));
  });
});
