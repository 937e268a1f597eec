import { expect } from 'chai';
import { RequestError } from '../../src/errors.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { isAnswered } from '../../src/warehouse/failures.js';
import { serviceEnvironment } from '../support/service.js';

/** Takes longer than the test may. */
const SLOW = 'SELECT sleepEachRow(0.1), toString(number) FROM numbers(10000) SETTINGS max_block_size = 1';

describe('waits for the warehouse', () => {
  let impatient: Warehouse;
  let patient: Warehouse;
  before(async () => {
    const [url = ''] = (await serviceEnvironment()).CLICKHOUSE_URL?.split(',') ?? [];
    impatient = createWarehouse({ url, database: 'profit', slots: 2, waitMs: 400 });
    patient = createWarehouse({ url, database: 'profit' });
  });
  after(() => Promise.all([impatient.close(), patient.close()]));

  const failureOf = async (work: Promise<unknown>): Promise<RequestError> => {
    const error: unknown = await work.then(
      () => null,
      (failure: unknown) => failure,
    );
    expect(error).to.be.instanceOf(RequestError);
    return error as RequestError;
  };
  const slowQueries = async (): Promise<number> => {
    const sql =
      "SELECT query_id FROM system.processes WHERE query LIKE '%sleepEachRow(0.1)%' AND query_id != queryID()";
    return (await patient.query(sql)).length;
  };

  it('end in time: the caller is answered, the query is stopped, and the way is free again', async () => {
    const failures = await Promise.all(Array.from({ length: 6 }, () => failureOf(impatient.query(SLOW))));
    for (const failure of failures) {
      expect([failure.errors[0].code, failure.retryAfter]).to.deep.equal(['store_unavailable', 5]);
      expect((failure.cause as Error).message).to.equal('no answer within 400 ms');
    }
    while ((await slowQueries()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    for (;;) {
      const rows = await impatient.query('SELECT 1 AS one').catch(() => null);
      if (rows !== null) {
        expect(rows).to.deep.equal([{ one: 1 }]);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  it('can be shorter for a single query', async () => {
    const failure = await failureOf(patient.query(SLOW, undefined, { waitMs: 200 }));
    expect(isAnswered(failure)).to.equal(false);
  });

  it('end with what the server said where it said anything', async () => {
    const failure = await failureOf(patient.query('SELECT no_such_column FROM api_keys'));
    expect(isAnswered(failure)).to.equal(true);
    expect(failure.message, 'nothing of it is for clients').to.not.include('no_such_column');
    expect((failure.cause as Error).message).to.include('no_such_column');
  });
});
