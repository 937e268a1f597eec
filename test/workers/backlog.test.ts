import { expect } from 'chai';
import { JOB_SCHEMA, type GroupJob } from '../../src/queue/jobs.js';
import { createBacklog } from '../../workers/backlog.js';

describe('the backlog of pushes', () => {
  const jobOf = (bytes: number): GroupJob<object> => ({ schema: JOB_SCHEMA, pushes: [{ bytes: [bytes] }], rows: '' });

  it('is there while a flush as large as an import is written, and ends with it, also with one that fails', async () => {
    const backlog = createBacklog();
    for (const isRefused of [false, true]) {
      let end: () => void = () => undefined;
      const flush = backlog.watched<object>(
        () => new Promise((resolve, reject) => (end = isRefused ? () => reject(new Error('no')) : resolve)),
      );
      const written = flush([jobOf(100_000), jobOf(100_000)]).catch(() => undefined);
      expect(backlog.isBehind()).to.equal(true);
      end();
      await written;
      expect(backlog.isBehind()).to.equal(false);
    }
  });

  it('is not there while few orders are written, and is once a job had to wait', () => {
    const backlog = createBacklog();
    void backlog.watched<object>(() => new Promise(() => undefined))([jobOf(100_000)]);
    expect(backlog.isBehind()).to.equal(false);
    backlog.onWait();
    expect(backlog.isBehind()).to.equal(true);
  });
});
