import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { closeRunaways } from '../../src/embedded/bi-proxy/runaways.js';
import { changeBiUsers } from '../../src/embedded/engines/bi-users.js';
import { runningQueries } from '../../src/warehouse/bi/watch.js';
import { startAnalysts, type Analysts } from '../bi/analysts.js';

/** One step of work for the engine, which looks at its limit of time before and after. */
const SORTS = Array.from({ length: 12 }, (_, i) => `length(arraySort(x -> sipHash64(x, ${i}), range(3000000)))`);
const ENDLESS = `SELECT ${SORTS.join(', ')} SETTINGS max_execution_time = 1`;

/** Counts without end, on as many threads as it may. */
const COUNTING = 'SELECT max(sipHash64(toString(number))) FROM numbers_mt(1900000000)';

describe('queries of a BI user that go on', function () {
  this.timeout(600_000);
  let analysts: Analysts;
  before(async () => {
    analysts = await startAnalysts();
  });
  after(() => analysts.stop());

  it('leave a thread to another user while they take all that theirs gets', async () => {
    const running = () => analysts.warehouse.query("SELECT 1 FROM system.processes WHERE user = 'bi_b'");
    const slowOnes = Array.from({ length: 3 }, () => analysts.ask(COUNTING, { user: 'bi_b' }));
    while ((await running()).length < 3) await sleep(50);
    expect((await analysts.ask('SELECT 1')).text).to.equal('1\n');
    expect((await analysts.ask('SELECT orders FROM bi.daily_metrics')).text).to.equal('3\n');
    expect(await running(), 'of the other user').to.have.length(3);
    await analysts.warehouse.query("KILL QUERY WHERE user = 'bi_b' SYNC");
    for (const { status } of await Promise.all(slowOnes)) expect(status).to.be.above(399);
  });

  it('and can’t be stopped close their user until the operator opens it, and have the engine restart', async () => {
    const { engines, servers } = analysts;
    let restarts = 0;
    const errors: object[] = [];
    const watch = () =>
      closeRunaways({
        engine: { ...engines.clickhouse, proxyKey: () => Promise.resolve(engines.clickhouse.proxyKey) },
        dataDir: engines.dataDir,
        log: { error: (fields) => errors.push(fields) },
        restart: () => restarts++,
        graceSeconds: 1,
      });
    expect(await watch()).to.deep.equal([]);
    expect((await runningQueries(servers)).overdueSeconds).to.equal(0);
    const within = analysts.ask('SELECT sleep(3) SETTINGS max_execution_time = 10', { user: 'bi_b' });
    const endless = analysts.ask(ENDLESS);
    let closed: string[] = [];
    while (closed.length === 0) {
      await sleep(50);
      closed = await watch();
    }
    expect(closed).to.deep.equal(['bi_a']);
    expect((await runningQueries(servers)).overdueSeconds).to.be.above(1);
    expect({ restarts, errors }).to.deep.equal({ restarts: 1, errors: [{ users: ['bi_a'] }] });
    expect((await within).status).to.equal(200);

    const { status, text } = await analysts.ask('SELECT 1');
    expect(status).to.equal(403);
    expect(text).to.contain('This user is closed').and.to.contain('profit bi open-user');
    expect((await analysts.ask('SELECT 1', { password: 'wrong' })).text).not.to.contain('closed');
    await changeBiUsers(engines.dataDir, (users) => users.map(({ closed: _, ...user }) => user));
    await endless;
    expect((await analysts.ask('SELECT 1')).text).to.equal('1\n');
  });
});
