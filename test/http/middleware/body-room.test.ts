import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { createBodyRoom, type BodyRoom } from '../../../src/http/middleware/body-room.js';

describe('the room of request bodies', () => {
  let room: BodyRoom;

  beforeEach(() => {
    room = createBodyRoom({ total: 15, each: 10 });
  });

  /** Work on a body that has arrived, and after a while has its inflated bytes too. */
  const work = (owner: string, arrived: number, inflated = 0) => {
    const [res, rest] = [new EventEmitter(), new EventEmitter()];
    const done = room.of(owner, res, async (hold) => {
      hold(arrived);
      await once(rest, 'inflated');
      hold(inflated);
    });
    const end = (): Promise<void> => {
      rest.emit('inflated');
      return done;
    };
    return { leave: () => res.emit('close'), end };
  };
  /** Whether there is room for a body of so many bytes. */
  const fits = async (owner: string, bytes: number): Promise<boolean> => {
    const res = new EventEmitter();
    const taken = room.of(owner, res, async (hold) => {
      await Promise.resolve();
      hold(bytes);
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

  it('is given back where the work fails', async () => {
    const { leave, end } = work('a', 4, 20);
    leave();
    expect(await end().catch((error: unknown) => error)).to.have.property('status', 429);
    expect(await fits('a', 10)).to.equal(true);
  });
});
