import { expect } from 'chai';
import { createTurnSize, type TurnSize } from '../../workers/turn-size.js';
import { createRandom, type Random } from '../simulation/world/random.js';

const SIZES = { first: 20, most: 400, turnMs: 400 };

interface Work {
  firstMs: number;
  eachMs: number;
  /** Items that wait, a turn; absent: always enough. */
  waiting?: () => number;
  /** Times as long as on an idle machine. */
  busy?: () => number;
}

const mean = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0) / sizes.length;

describe('the size of turns', () => {
  let random: Random;

  beforeEach(() => (random = createRandom(1)));

  /** Sizes of so many turns, each of which takes up to a fifth more or less than it should. */
  function turns(size: TurnSize, count: number, { firstMs, eachMs, waiting, busy = () => 1 }: Work): number[] {
    return Array.from({ length: count }, () => {
      const items = Math.min(size.now(), waiting?.() ?? Infinity);
      size.took(items, (firstMs + eachMs * items) * busy() * (0.8 + random.next() * 0.4));
      return size.now();
    });
  }

  it('grows to the most where items take next to nothing, however long a turn takes', () => {
    const size = createTurnSize(SIZES);
    const busy = () => 4;
    expect(turns(size, 100, { firstMs: 250, eachMs: 0.1, waiting: () => random.int(1, 400), busy }).at(-1)).to.equal(
      400,
    );
    expect(Math.min(...turns(size, 100, { firstMs: 250, eachMs: 0.1, busy }))).to.be.at.least(200);
  });

  it('is what doubles the time of a turn where items take long', () => {
    const size = createTurnSize(SIZES);
    const sizes = turns(size, 300, { firstMs: 250, eachMs: 5, waiting: () => random.int(1, 100) });
    expect(mean(sizes)).to.be.within(40, 62);
    expect(Math.max(...sizes.slice(50))).to.be.at.most(150);
  });

  it('is the same on a machine that is ten times as slow', () => {
    const size = createTurnSize(SIZES);
    const work = { firstMs: 250, eachMs: 2.5, waiting: () => random.int(1, 200) };
    expect(mean(turns(size, 300, work))).to.be.within(80, 125);
    expect(mean(turns(size, 300, { ...work, busy: () => 10 }))).to.be.within(80, 125);
  });

  it('lets a turn take its time where it costs little before its first item', () => {
    const size = createTurnSize(SIZES);
    expect(mean(turns(size, 300, { firstMs: 20, eachMs: 4, waiting: () => random.int(1, 200) }))).to.be.within(75, 120);
  });

  it('grows from the first while turns are too much alike to tell', () => {
    const size = createTurnSize(SIZES);
    expect(size.now()).to.equal(20);
    expect(Math.max(...turns(size, 50, { firstMs: 10, eachMs: 0 }))).to.equal(400);
  });

  it('comes down from the most where items that took next to nothing take long all at once, though every turn is full', () => {
    const size = createTurnSize(SIZES);
    turns(size, 300, { firstMs: 250, eachMs: 0.1 });
    const sizes = turns(size, 300, { firstMs: 250, eachMs: 25 });
    expect(mean(sizes.slice(100))).to.be.below(40);
  });

  it('is not kept small by a busy machine whose turns are all full from the first on', () => {
    const size = createTurnSize(SIZES);
    expect(mean(turns(size, 100, { firstMs: 250, eachMs: 0.2, busy: () => 5 }))).to.be.above(200);
  });

  it('is one item where each takes longer than all else', () => {
    const size = createTurnSize(SIZES);
    turns(size, 50, { firstMs: 250, eachMs: 2_000, waiting: () => random.int(1, 5) });
    expect(size.now()).to.equal(1);
  });

  it('is halved down to one by turns that fail, and grows again', () => {
    const size = createTurnSize(SIZES);
    const sizes = [20, 10, 5, 2, 1, 1];
    for (const expected of sizes) {
      expect(size.now()).to.equal(expected);
      size.failed();
    }
    turns(size, 20, { firstMs: 100, eachMs: 0.1 });
    expect(size.now()).to.equal(400);
  });
});
