import { expect } from 'chai';
import type { Warehouse } from '../../src/warehouse/client.js';
import { createBiLimitsLoop } from '../../workers/bi-limits.js';

/** Answers by the name of the statement, which it keeps. */
function fakeServer(answers: Record<string, readonly unknown[]>): { server: Warehouse; asked: string[] } {
  const asked: string[] = [];
  const ask = ({ name }: { name: string }): Promise<readonly unknown[]> => {
    asked.push(name);
    return Promise.resolve(answers[name] ?? []);
  };
  return { server: { ask } as unknown as Warehouse, asked };
}

describe('the watch over queries of BI users', () => {
  const now = performance.now.bind(performance);
  afterEach(() => {
    performance.now = now;
  });

  it('asks nothing while there is no BI user, but for the list now and then', async () => {
    const answers: Record<string, readonly unknown[]> = { 'BI users that ever were': [{ users: 0 }] };
    const [first, second] = [fakeServer(answers), fakeServer({})];
    const overdue: number[] = [];
    let passedMs = 0;
    performance.now = () => passedMs;
    const turn = createBiLimitsLoop({
      servers: [second.server, first.server],
      metrics: { biOverdue: (seconds) => overdue.push(seconds) },
      log: { warn: () => undefined },
      newUsersMs: 100,
    });
    for (let i = 0; i < 5; i++) await turn();
    expect(first.asked).to.deep.equal(['BI users that ever were']);
    passedMs = 100;
    answers['BI users that ever were'] = [{ users: 1 }];
    answers['running BI queries'] = [{ queries: 1, seconds: 7 }];
    for (let i = 0; i < 2; i++) await turn();
    const looks = ['running BI queries', 'stop BI queries'];
    expect(first.asked.slice(1)).to.deep.equal(['BI users that ever were', ...looks, ...looks]);
    expect(overdue).to.deep.equal([7, 7]);
  });
});
