import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Statement } from '../../src/warehouse/query.js';
import { useService } from '../support/service.js';

/** A long answer, which may fail near its end. */
const answer = (rows: number, failsAt = -1): Statement => ({
  name: 'streamed',
  sql: `SELECT concat(repeat('x', 99 + throwIf(number = ${failsAt})), '\n') FROM numbers(${rows})
    SETTINGS max_threads = 1 FORMAT RawBLOB`,
});
const MANY = 200_000;

describe('an answer that is taken as it comes', function () {
  this.timeout(240_000);
  const service = useService();
  const stream = (statement: Statement) => service.stores.warehouse.stream(statement);

  it('is whole, and one piece at least', async () => {
    for (const rows of [0, 1, MANY]) {
      const pieces: Buffer[] = [];
      for await (const piece of stream(answer(rows))) pieces.push(piece);
      expect(pieces).not.to.have.length(0);
      expect(Buffer.concat(pieces).equals(Buffer.from(`${'x'.repeat(99)}\n`.repeat(rows)))).to.equal(true);
    }
  });

  it('is an error where the server fails, at once or later, and shows nothing of it', async () => {
    for (const failsAt of [0, MANY - 1]) {
      let text = '';
      const read = async (): Promise<void> => {
        for await (const piece of stream(answer(MANY, failsAt))) text += piece.toString();
      };
      const failure: unknown = await read().catch((error: unknown) => error);
      expect(failure).to.have.nested.property('errors[0].code', 'store_unavailable');
      expect(text).to.match(/^[x\n]*$/);
      expect(text === '').to.equal(failsAt === 0);
    }
  });

  it('ends its statement when its reader leaves', async () => {
    const endless = answer(1e15);
    for await (const piece of stream(endless)) {
      expect(piece).not.to.have.length(0);
      break;
    }
    const left = async () =>
      (
        await service.stores.warehouse.query(
          `SELECT query FROM system.processes WHERE position(query, 'numbers(1000000000000000)') > 0
           AND position(query, 'system.processes') = 0`,
        )
      ).length;
    // The server forgets a statement a moment after its answer has ended.
    while ((await left()) > 0) await sleep(20);
  });
});
