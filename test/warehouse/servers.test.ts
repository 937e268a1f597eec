import { expect } from 'chai';
import { createServers } from '../../src/warehouse/servers.js';

class Refusal extends Error {}
const isAnswered = (error: unknown): boolean => error instanceof Refusal;
const ALIVE = { isAnswered, isAlive: () => Promise.resolve(true) };
const away = (): Promise<never> => Promise.reject(new Error('nobody listens'));

describe('several servers that answer alike', () => {
  it('are asked in turn until one answers, which is asked first from then on', async () => {
    const asked: string[] = [];
    const servers = createServers(['a', 'b', 'c'], ALIVE);
    const ask = () =>
      servers.run((name) => {
        asked.push(name);
        return name === 'b' ? Promise.resolve(name) : away();
      }, 1_000);
    expect([await ask(), await ask()]).to.deep.equal(['b', 'b']);
    expect(asked).to.deep.equal(['a', 'b', 'b']);
  });

  it('are each asked once when none answers', async () => {
    const asked: string[] = [];
    const failure = await createServers(['a', 'b'], ALIVE)
      .run((name) => (asked.push(name), away()), 1_000)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).with.property('message', 'nobody listens');
    expect(asked).to.deep.equal(['a', 'b']);
  });

  it('are not asked again after a refusal, nor when the time is over', async () => {
    const asked: string[] = [];
    const servers = createServers(['a', 'b'], ALIVE);
    const refused = await servers
      .run((name) => (asked.push(name), Promise.reject(new Refusal('no'))), 1_000)
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Refusal);
    await servers.run((name) => (asked.push(name), away()), 0).catch(() => undefined);
    expect(asked).to.deep.equal(['a', 'a']);
  });

  it('turn to the next once when many requests fail together', async () => {
    const servers = createServers(['a', 'b', 'c'], ALIVE);
    const ask = () => servers.run((name) => (name === 'a' ? away() : Promise.resolve(name)), 1_000);
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal(['b', 'b', 'b']);
  });

  it('get no work twice, though other work goes on to the next one in between', async () => {
    const servers = createServers(['a', 'b', 'c'], ALIVE);
    const asked: string[] = [];
    let fail = (): void => undefined;
    const slow = servers.run((name) => {
      asked.push(name);
      return name === 'a' ? new Promise<never>((_, reject) => (fail = () => reject(new Error('late')))) : away();
    }, 1_000);
    const others = await Promise.allSettled([servers.run(away, 1_000), servers.run(away, 1_000)]);
    fail();
    await slow.catch(() => undefined);
    expect(others.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(asked).to.deep.equal(['a', 'b', 'c']);
  });

  it('get what is left of the time', async () => {
    const left: number[] = [];
    await createServers(['a', 'b'], ALIVE).run((name, ms) => {
      left.push(ms);
      return name === 'a' ? away() : Promise.resolve(name);
    }, 1_000);
    expect(left[0]).to.equal(1_000);
    expect(left[1]).to.be.within(0, 1_000);
  });

  it('are skipped for the next one when they take long and answer no ping, but not while they answer pings', async () => {
    const never = new Promise<never>(() => undefined);
    const pinged: string[] = [];
    const isAlive = (name: string): Promise<boolean> => {
      pinged.push(name);
      // The first one stops after its second ping.
      return Promise.resolve(pinged.length < 3);
    };
    const servers = createServers(['a', 'b'], { isAnswered, isAlive, lookMs: 10 });
    const ask = () => servers.run((name) => (name === 'a' ? never : Promise.resolve(name)), 60_000);
    expect([await ask(), await ask()]).to.deep.equal(['b', 'b']);
    expect(pinged).to.deep.equal(['a', 'a', 'a']);
  });

  it('are waited for when there is no other server, even if they answer no ping', async () => {
    const slow = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve('late'), 50));
    const isAlive = () => Promise.resolve(false);
    expect(await createServers(['a'], { isAnswered, isAlive, lookMs: 10 }).run(slow, 1_000)).to.equal('late');
  });
});
