import { createServer } from 'node:http';
import { expect } from 'chai';
import { RequestError } from '../../src/errors.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import { listening } from '../support/listening.js';

const ROWS = Array.from({ length: 3 }, (_, n) => `${JSON.stringify({ n })}\n`);

describe('an answer of the warehouse', () => {
  /** What a query gives when a server sends this. */
  const asked = async (body: string, summary?: string, others: readonly string[] = []): Promise<string> => {
    let requests = 0;
    const server = await listening(
      createServer((req, res) => {
        req.resume();
        if (summary !== undefined) res.setHeader('X-ClickHouse-Summary', summary);
        res.end([body, ...others][requests++] ?? body);
      }),
    );
    const otherUrls = others.map(() => server.url);
    const warehouse = createWarehouse({ url: server.url, otherUrls, database: 'profit' });
    const answer = await warehouse.query('SELECT n').then(
      (rows) => `${rows.length} rows`,
      (error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        return `${error.errors[0].code}: ${(error.cause as Error).message}`;
      },
    );
    await Promise.all([warehouse.close(), server.stop()]);
    return answer;
  };
  const found = (rows: number): string => JSON.stringify({ read_rows: '9', result_rows: String(rows) });

  it('is taken when it has every row that the server found', async () => {
    expect(await asked(ROWS.join(''), found(3))).to.equal('3 rows');
    expect(await asked('', found(0))).to.equal('0 rows');
  });

  it('is an error when it is empty or cut, at the end of a row or within it, or nothing says how many rows there are', async () => {
    for (const [body, rows] of [
      ['', 0],
      [ROWS.slice(0, 2).join(''), 2],
      [ROWS.join('').slice(0, -3), 2],
      [ROWS.join('').slice(0, -1), 2],
      [[...ROWS, ...ROWS].join(''), 6],
    ] as const)
      expect(await asked(body, found(3))).to.equal(`store_unavailable: the server sent ${rows} of 3 rows`);
    for (const summary of [undefined, '{}'])
      expect(await asked(ROWS.join(''), summary)).to.match(/^store_unavailable: the server does not say/);
    expect(await asked(ROWS.join(''), '{"result_r')).to.match(/^store_unavailable: /);
  });

  it('is asked for at the next server when it is cut', async () => {
    expect(await asked('', found(3), [ROWS.join('')])).to.equal('3 rows');
  });
});
