import { expect } from 'chai';
import { shareNext } from '../../src/warehouse/share-next.js';

/** Look-ups that end when they are told to. */
function start(most: number) {
  const asked: { items: readonly string[]; end: () => void; fail: () => void }[] = [];
  const ask = shareNext(
    (items: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        asked.push({ items, end: () => resolve(items.join()), fail: () => reject(new Error('away')) });
      }),
    most,
  );
  return { asked, ask };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('look-ups that share the next', () => {
  it('asks at once where none is under way, and once for all that come meanwhile', async () => {
    const { asked, ask } = start(10);
    const first = ask(['a']);
    const others = [ask(['b']), ask(['c', 'd'])];
    expect(asked.map(({ items }) => items)).to.deep.equal([['a']]);
    asked[0]?.end();
    expect(await first).to.equal('a');
    await turn();
    expect(asked.map(({ items }) => items)).to.deep.equal([['a'], ['b', 'c', 'd']]);
    const third = ask(['e']);
    asked[1]?.end();
    expect(await Promise.all(others)).to.deep.equal(['b,c,d', 'b,c,d']);
    await turn();
    asked[2]?.end();
    expect(await third).to.equal('e');
    const later = ask(['f']);
    asked[3]?.end();
    expect(await later).to.equal('f');
  });

  it('waits for no other where the next is full', async () => {
    const { asked, ask } = start(2);
    const all = [ask(['a']), ask(['b', 'c']), ask(['d'])];
    expect(asked.map(({ items }) => items)).to.deep.equal([['a'], ['d']]);
    for (const each of asked) each.end();
    await turn();
    asked[2]?.end();
    expect(await Promise.all(all)).to.deep.equal(['a', 'b,c', 'd']);
  });

  it('asks again after one that failed, and fails those alone that shared it', async () => {
    const { asked, ask } = start(10);
    const first = ask(['a']).catch((error: unknown) => (error as Error).message);
    const second = ask(['b']);
    asked[0]?.fail();
    expect(await first).to.equal('away');
    await turn();
    asked[1]?.end();
    expect(await second).to.equal('b');
  });
});
