import { EventEmitter, once } from 'node:events';
import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import { createBodyMemoryLimit, type BodyMemoryLimit } from '../../src/body/memory-limit.js';

describe('the memory limit of request bodies', () => {
  let limit: BodyMemoryLimit;

  beforeEach(() => {
    limit = createBodyMemoryLimit({ total: 15, each: 10 });
  });

  /** Work on a body that has arrived, and after a while has its inflated bytes too. */
  const work = (owner: string, arrived: number, inflated = 0) => {
    const [res, rest] = [new EventEmitter(), new EventEmitter()];
    const done = limit.during(owner, res, async (count) => {
      count(arrived);
      await once(rest, 'inflated');
      count(inflated);
    });
    const end = (): Promise<void> => {
      rest.emit('inflated');
      return done;
    };
    return { leave: () => res.emit('close'), end };
  };
  /** Whether a body of so many bytes is admitted, once what has ended is given back. */
  const fits = async (owner: string, bytes: number): Promise<boolean> => {
    await settled();
    const res = new EventEmitter();
    const taken = limit.during(owner, res, async (count) => {
      await Promise.resolve();
      count(bytes);
    });
    const refusal: unknown = await taken.catch((error: unknown) => error);
    res.emit('close');
    if (refusal !== undefined) expect(refusal).to.have.property('status', 429);
    return refusal === undefined;
  };

  it('is bounded for each owner, and for all together', async () => {
    const [first, second] = [work('a', 8), work('b', 5)];
    expect([await fits('a', 3), await fits('a', 2), await fits('c', 3), await fits('c', 2)]).to.deep.equal([
      false,
      true,
      false,
      true,
    ]);
    await Promise.all([first.end(), second.end()]);
  });

  it('is taken until the answer is sent', async () => {
    const { leave, end } = work('a', 8);
    await end();
    expect(await fits('a', 3)).to.equal(false);
    leave();
    expect(await fits('a', 10)).to.equal(true);
  });

  it('is taken until the work has ended, although the client has left', async () => {
    const { leave, end } = work('a', 4, 4);
    leave();
    expect(await fits('a', 7)).to.equal(false);
    await end();
    expect(await fits('a', 10)).to.equal(true);
  });

  it('is given back after the work where the client left before the body was read', async () => {
    const gone = Object.assign(new EventEmitter(), { closed: true });
    await limit.during('a', gone, async (count) => {
      await settled();
      count(10);
    });
    expect(await fits('a', 10)).to.equal(true);
  });

  it('is given back where the work fails', async () => {
    const { leave, end } = work('a', 4, 20);
    leave();
    expect(await end().catch((error: unknown) => error)).to.have.property('status', 429);
    expect(await fits('a', 10)).to.equal(true);
  });
});
