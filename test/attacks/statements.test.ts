import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PASSWORD, startAnalysts, type Analysts } from '../bi/analysts.js';
import { listening, type Listening } from '../support/listening.js';

/** Every place of a statement where a table function may stand. */
const PLACES: readonly ((call: string) => string)[] = [
  (call) => `SELECT * FROM ${call}`,
  (call) => `SELECT * FROM (SELECT * FROM ${call})`,
  (call) => `WITH c AS (SELECT * FROM ${call}) SELECT * FROM c`,
  (call) => `SELECT (SELECT 1 FROM ${call})`,
  (call) => `SELECT 1 IN (SELECT 1 FROM ${call})`,
  (call) => `SELECT 1 FROM numbers(1) AS n CROSS JOIN ${call} AS r`,
  (call) => `SELECT * FROM view(SELECT * FROM ${call})`,
  (call) => `SELECT * FROM viewIfPermitted(SELECT 1 AS a FROM ${call} ELSE null('a UInt8'))`,
  (call) => `SELECT * FROM viewExplain('EXPLAIN', '', (SELECT * FROM ${call}))`,
  (call) => `SELECT * FROM (EXPLAIN SELECT * FROM ${call})`,
  (call) => `SELECT * FROM remote('127.0.0.1', ${call})`,
  (call) =>
    `SELECT * FROM (SELECT * FROM eval($$SELECT * FROM ${call}$$) SETTINGS allow_experimental_eval_table_function = 1)`,
  (call) => `EXPLAIN SELECT * FROM ${call}`,
  (call) => `EXPLAIN SYNTAX SELECT * FROM ${call}`,
  (call) => `DESCRIBE TABLE ${call}`,
  (call) => `INSERT INTO FUNCTION ${call} SELECT 1`,
  (call) => `INSERT INTO FUNCTION null('a Int8') VALUES ((SELECT 1 FROM ${call}))`,
  (call) => `SELECT * FROM format(Values, 'a Int8', $$((SELECT 1 FROM ${call}))$$)`,
  (call) => `SHOW TABLES WHERE name IN (SELECT 'a' FROM ${call})`,
  (call) => `CREATE TABLE bi.mine AS ${call}`,
  (call) => `CREATE TEMPORARY TABLE mine AS ${call}`,
];

describe('statements of a BI user', function () {
  this.timeout(600_000);
  let analysts: Analysts;
  before(async () => {
    analysts = await startAnalysts();
  });
  after(() => analysts.stop());

  describe('that name a file or an address', () => {
    let folder: string;
    let target: Listening;
    let reached: number;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'bi-statements-'));
      reached = 0;
      const server = createServer((_req, res) => res.end());
      server.on('connection', () => reached++);
      target = await listening(server);
    });
    afterEach(async () => {
      await target.stop();
      rmSync(folder, { recursive: true });
    });

    const names = async (table: string): Promise<string[]> =>
      (await analysts.warehouse.query<{ name: string }>(`SELECT DISTINCT name FROM system.${table} ORDER BY name`)).map(
        ({ name }) => name,
      );
    const expectNothing = (sql: string): void => {
      expect(readdirSync(folder), sql).to.deep.equal([]);
      expect(reached, sql).to.equal(0);
    };
    /** Lists of arguments as table functions and engines take them. */
    const lists = (file: string): string[] => {
      const [host, url] = [`'127.0.0.1:${target.port}'`, `'http://127.0.0.1:${target.port}/a.csv'`];
      return [
        `'${file}', 'x'`,
        `'file://${file}', 'CSV', 'a Int8'`,
        `${url}, 'CSV', 'a Int8'`,
        url,
        `${url}, 'key', 'secret'`,
        `${host}, 'a', 'b', 'c', 'd'`,
        `${host}, 'a', 'b', 'c', 'd', 'a Int8'`,
        `${host}, 'key', 'a Int8'`,
        `'DSN=x;Server=127.0.0.1;Port=${target.port};Database=${file}', 'a', 'b'`,
        `'default', ${url}, 'CSV', 'a Int8'`,
      ];
    };

    it('through any table function, in any place, make no file and reach nothing', async () => {
      const functions = await names('table_functions');
      expect(functions.length).to.be.greaterThan(80);
      for (const name of functions) {
        for (const list of lists(join(folder, name))) {
          const sql = `SELECT * FROM ${name}(${list}) LIMIT 1`;
          await analysts.ask(sql, { user: 'bi_b', params: { max_execution_time: '5' } });
          expectNothing(sql);
        }
      }
      for (const place of PLACES) {
        for (const call of [
          'sqlite',
          '`sqlite`',
          '"\\x73qlite"',
          'SQLite',
          '/* a */ sqlite -- b\n',
          'url',
          's3',
          'mysql',
          'file',
        ]) {
          for (const list of lists(join(folder, 'made'))) {
            const sql = place(`${call}(${list})`);
            const { status } = await analysts.ask(sql);
            expect(status, sql).to.be.greaterThanOrEqual(400);
            expectNothing(sql);
          }
        }
      }
    });

    it('through any engine of a table, a database or a dictionary make no file and reach nothing', async () => {
      for (const name of [...(await names('table_engines')), 'SQLite', 'PostgreSQL', 'MySQL', 'Filesystem', 'S3']) {
        const [first = '', , third = '', ...others] = lists(join(folder, name));
        for (const list of [first, third, others[2] ?? '']) {
          for (const what of ['TABLE bi.mine (a Int8)', 'TEMPORARY TABLE mine (a Int8)', 'DATABASE mine']) {
            const sql = `CREATE ${what} ENGINE = ${name}(${list})`;
            expect((await analysts.ask(sql)).status, sql).to.be.greaterThanOrEqual(400);
            expectNothing(sql);
          }
        }
      }
    });

    it('as a table learn nothing of whether there is a file', async () => {
      const answers = ['/etc/passwd', '/etc/nothing-here'].map(async (file) => {
        const { text } = await analysts.ask(`SELECT * FROM default.\`${file}\``);
        return text.replaceAll(file, '');
      });
      const [there, missing] = await Promise.all(answers);
      expect(there).to.equal(missing);
    });

    it('are checked whole: not as a form, compressed, or in two parts', async () => {
      const made = join(folder, 'made');
      const sql = `SELECT * FROM sqlite('${made}', 'x')`;
      const form = new FormData();
      form.append('query', sql);
      const { status } = await analysts.ask('', { body: form });
      expect(status).to.equal(415);
      const gzipped = new Uint8Array(
        await new Response(new Blob([sql]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
      );
      for (const options of [
        { headers: { 'Content-Encoding': 'gzip' }, body: gzipped },
        { params: { decompress: '1' } },
        { params: { query: "SELECT * FROM sqlite('" }, body: `${made}', 'x')` },
        { params: { query: sql }, body: '' },
        { params: { Query: sql }, body: '' },
        { params: { param_f: 'sqlite' }, body: `SELECT * FROM {f:Identifier}('${made}', 'x')` },
      ]) {
        expect((await analysts.ask(sql, options)).status).to.be.greaterThanOrEqual(400);
        expect(existsSync(made)).to.equal(false);
      }
    });
  });

  it('may have SETTINGS at their end, but not further in, and reset none', async () => {
    for (const sql of [
      'SELECT 1 SETTINGS max_threads = 1',
      'SELECT 1 UNION ALL SELECT 1 SETTINGS max_threads = 1',
      "SELECT 1 AS `a SETTINGS b` WHERE ' SETTINGS ' != '(= DEFAULT EXPLAIN ' SETTINGS max_threads = 1 FORMAT TSV",
      'EXPLAIN AST SELECT 1',
      "SHOW SETTINGS LIKE 'max_threads'",
    ]) {
      const { status, text } = await analysts.ask(sql);
      expect(status, `${sql}: ${text}`).to.equal(200);
    }
    for (const sql of [
      'SELECT * FROM (SELECT 1 SETTINGS max_threads = 1)',
      'SELECT 1 SETTINGS max_threads = 1 UNION ALL SELECT 1',
      '(SELECT 1 SETTINGS max_threads = 1) UNION ALL SELECT 1',
      'WITH c AS (SELECT 1 SETTINGS max_threads = 1) SELECT * FROM c',
      'SELECT 1 SETTINGS readonly = DEFAULT',
      'SET max_memory_usage = DEFAULT',
    ]) {
      const { status, text } = await analysts.ask(sql, { params: { session_id: 'closed' } });
      expect(status, `${sql}: ${text}`).to.equal(403);
    }
  });

  it('are parsed by the engine one of a user at a time, of 256 KiB at most', async () => {
    const long = (bytes: number): string => `SELECT ${'a,'.repeat(bytes >> 1)}a`;
    const begun = Array.from({ length: 6 }, () => analysts.ask(long(40_000)));
    let most = 0;
    const done: unknown[] = [];
    void Promise.allSettled(begun).then((answers) => done.push(...answers));
    while (done.length === 0) {
      const parsing = await analysts.warehouse.query(
        "SELECT 1 FROM system.processes WHERE startsWith(query, 'SELECT formatQuerySingleLine')",
      );
      most = Math.max(most, parsing.length);
      await sleep(20);
    }
    // One that has answered may still be listed beside the next.
    expect(most).to.be.within(1, 2);
    expect((await analysts.ask(long(262_144))).status).to.equal(413);
    expect((await analysts.ask(`SELECT '${'x'.repeat(250_000)}' = ''`)).text).to.equal('0\n');
  });

  it('get errors of syntax as the engine words them', async () => {
    const { status, text } = await analysts.ask('SELECT 1 FROMM numbers(1)');
    expect(status).to.equal(400);
    expect(text).to.match(/^Code: 62\. DB::Exception: Syntax error: failed at position 16 .*\(SYNTAX_ERROR\)\n$/s);
  });

  it('sign in once in an address too', async () => {
    const { url } = analysts.proxy;
    const at = `${url}/?user=bi_a&password=${encodeURIComponent(PASSWORD)}&query=${encodeURIComponent('SELECT shop_id FROM bi.orders')}`;
    expect(await (await fetch(at)).text()).to.equal('a\n');
  });
});
