import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { daysText } from '../../../src/cli/import/wait-for-figures.js';
import { clock, createProgress, grouped } from '../../../src/operations/progress.js';

function terminal(isTTY: boolean): PassThrough & { isTTY: boolean; columns: number } {
  const operations = { isTTY, columns: 200, cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  return Object.assign(new PassThrough(), operations);
}

const textOf = (stream: PassThrough) => String(stream.read() ?? '');

describe('createProgress', () => {
  it('writes plain lines without a terminal: notes at once, the last state at the end', () => {
    const stream = terminal(false);
    const progress = createProgress({ stream, label: 'orders', total: 1000, startDone: 500, startItems: 5 });
    progress.update(750, 2005);
    progress.note('waiting');
    expect(textOf(stream)).to.equal('waiting\n');
    progress.stop();
    expect(textOf(stream)).to.match(/^75% {2}2,005 orders {2}[\d,]+\/s {2}0:00 left\n$/);
  });

  it('leaves out what nobody can know about a pipe', () => {
    const stream = terminal(false);
    const progress = createProgress({ stream, label: 'orders', total: undefined });
    progress.update(750, 20);
    progress.stop();
    expect(textOf(stream)).to.match(/^20 orders {2}[\d,]+\/s\n$/);
  });

  it('draws a bar on a terminal', async () => {
    const stream = terminal(true);
    const progress = createProgress({ stream, label: 'orders', total: 1000 });
    progress.update(500, 20);
    await delay(300);
    progress.stop();
    expect(textOf(stream)).to.match(/█{15}░{15} 50% {2}20 orders/);
  });
});

describe('clock and grouped', () => {
  it('write durations and counts for people', () => {
    expect([7, 750, 11_100].map(clock)).to.deep.equal(['0:07', '12:30', '3:05:00']);
    expect(grouped(1_234_567)).to.equal('1,234,567');
  });
});

describe('the wait for figures', () => {
  it('tells the days that are left, and the time once some are done', () => {
    expect(daysText(1_270, { left: 1_270, at: 0 }, 5_000)).to.equal(' (days to compute: 1,270)');
    expect(daysText(130, { left: 370, at: 1_000 }, 13_000)).to.equal(' (days to compute: 130, about 0:07 left)');
  });
});
