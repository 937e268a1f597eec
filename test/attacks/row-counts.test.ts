import { expect } from 'chai';
import { startAnalysts, type Analysts } from '../bi/analysts.js';

/** The engine counts what it reads, rows of other shops next to the own ones included. */
describe('BI users', function () {
  this.timeout(600_000);
  let analysts: Analysts;
  before(async () => {
    analysts = await startAnalysts();
  });
  after(() => analysts.stop());

  it('learn from no answer how many rows were read', async () => {
    const select = 'SELECT order_id FROM bi.orders';
    const formats = (
      await analysts.warehouse.query<{ name: string }>('SELECT name FROM system.formats WHERE is_output ORDER BY name')
    ).map(({ name }) => name);
    expect(formats.length).to.be.greaterThan(60);
    for (const name of formats) {
      for (const options of [
        { body: `${select} FORMAT ${name}` },
        { params: { default_format: name } },
        { headers: { 'X-ClickHouse-Format': name } },
        { params: { compress: '1' }, body: `${select} FORMAT ${name}` },
        {
          headers: { 'Accept-Encoding': 'gzip' },
          params: { enable_http_compression: '1' },
          body: `${select} FORMAT ${name}`,
        },
      ]) {
        const params = {
          send_progress_in_http_headers: '1',
          http_headers_progress_interval_ms: '1',
          ...options.params,
        };
        const { text, headers } = await analysts.ask(select, { ...options, params });
        expect(text, name).not.to.match(/rows_read|read_rows|bytes_read|read_bytes/);
        expect(
          [...headers.keys()].filter((header) => /summary|progress/i.test(header)),
          name,
        ).to.deep.equal([]);
      }
    }
    const { text } = await analysts.ask(`${select} FORMAT JSONEachRowWithProgress`);
    expect(text).to.contain('{"row":{"order_id":"of a 1"}}\n');
    // A line that begins like one of progress is a row of the user here.
    const own = `SELECT '{"progress":1}' AS x, repeat('y', 200000) AS z FROM numbers(20) FORMAT TSVRaw`;
    expect((await analysts.ask(own)).text.split('\n').length).to.equal(21);
  });

  it('learn from no limit and no EXPLAIN how many rows were read', async () => {
    for (const kind of ['', 'ESTIMATE', 'ANALYZE', 'PIPELINE', 'PLAN indexes = 1', 'QUERY TREE']) {
      for (const sql of [
        `EXPLAIN ${kind} SELECT * FROM bi.orders`,
        `SELECT * FROM (EXPLAIN ${kind} SELECT * FROM bi.orders)`,
        `(EXPLAIN ${kind} SELECT * FROM bi.orders)`,
        `SELECT * FROM viewExplain('EXPLAIN ${kind}', '', (SELECT * FROM bi.orders))`,
      ]) {
        const { status, text } = await analysts.ask(sql);
        expect(status, `${sql}: ${text}`).to.be.greaterThanOrEqual(400);
      }
    }
    const { warehouse } = analysts;
    const limits = (
      await warehouse.query<{ name: string }>(
        `SELECT name FROM system.settings WHERE match(name, '^max_(estimated|rows|bytes)|(min|max)_execution_speed|execution_speed')`,
      )
    ).map(({ name }) => name);
    expect(limits).to.include('max_rows_to_read').and.to.include('max_bytes_to_read_leaf');
    for (const name of limits) {
      for (const isDirect of [false, true]) {
        const at = { isDirect, params: { [name]: '1' } };
        expect((await analysts.ask('SELECT count() FROM bi.orders', at)).text, name).to.match(/READONLY|CONSTRAINT/);
        const top = await analysts.ask(`SELECT count() FROM bi.orders SETTINGS ${name} = 1`, { isDirect });
        expect(top.text, name).to.match(/READONLY|CONSTRAINT/);
      }
    }
  });
});
