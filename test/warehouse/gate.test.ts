import { expect } from 'chai';
import { createGate } from '../../src/warehouse/gate.js';

/** Work that ends when it is told to. */
function work() {
  let end: (value: string) => void = () => undefined;
  const done = new Promise<string>((resolve) => (end = resolve));
  let begun = false;
  let late: () => boolean = () => false;
  const run = (isLate: () => boolean): Promise<string> => {
    begun = true;
    late = isLate;
    return done;
  };
  return { run, end, hasBegun: () => begun, isLate: () => late() };
}
const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(String, (error: unknown) => (error as Error).message);
const never = (): void => expect.fail('nobody was late');

describe('a gate before a store', () => {
  it('lets so many in, and the next when one has ended', async () => {
    const gate = createGate({ slots: 1, mostWaiting: 1 });
    const [first, second] = [work(), work()];
    const answers = [first, second].map((one) => gate.run(one.run, { ms: 10_000, onLate: never }));
    expect([first.hasBegun(), second.hasBegun()]).to.deep.equal([true, false]);
    expect(await failureOf(gate.run(work().run, { ms: 10_000, onLate: never }))).to.equal('1 requests wait for it');
    first.end('a');
    second.end('b');
    expect(await Promise.all(answers)).to.deep.equal(['a', 'b']);
  });

  it('sends a caller away in time, keeps the slot until the work ends, and never begins what waited in vain', async () => {
    const gate = createGate({ slots: 1, mostWaiting: 5 });
    const [first, second] = [work(), work()];
    let told = 0;
    const asked = gate.run(first.run, { ms: 20, onLate: () => told++ });
    const waited = gate.run(second.run, { ms: 10, onLate: never });
    expect(await failureOf(waited)).to.equal('no answer within 10 ms');
    expect(await failureOf(asked)).to.equal('no answer within 20 ms');
    expect([told, first.isLate()]).to.deep.equal([1, true]);
    expect(await failureOf(gate.run(work().run, { ms: 10_000, onLate: never }))).to.include('answered nothing');
    first.end('too late');
    await new Promise((resolve) => setImmediate(resolve));
    expect(second.hasBegun()).to.equal(false);
    const third = work();
    const answer = gate.run(third.run, { ms: 10_000, onLate: never });
    third.end('c');
    expect(await answer).to.equal('c');
  });
});
