import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { stopUnboundQueries } from '../../src/warehouse/bi/watch.js';
import { readDictionary } from '../../src/warehouse/bi/dictionary.js';
import { PASSWORD, SECRET, startAnalysts, type Analysts, type AskOptions } from '../bi/analysts.js';

const run = promisify(execFile);

/** Every place of a query where SETTINGS may stand below its top. */
const PLACES: Record<string, (select: string, settings: string) => string> = {
  'sub-select': (select, settings) => `SELECT * FROM (${select} SETTINGS ${settings})`,
  'sub-select of a sub-select': (select, settings) => `SELECT * FROM (SELECT * FROM (${select} SETTINGS ${settings}))`,
  CTE: (select, settings) => `WITH c AS (${select} SETTINGS ${settings}) SELECT * FROM c`,
  'scalar sub-query': (select, settings) =>
    `SELECT (SELECT groupArray(tuple(*)) FROM (${select}) SETTINGS ${settings})`,
  'scalar CTE': (select, settings) =>
    `WITH (SELECT countIf(shop_id = 'b') FROM (${select} SETTINGS ${settings})) AS n SELECT throwIf(n > 0, '${SECRET}')`,
  'left side of a JOIN': (select, settings) =>
    `SELECT * FROM (${select} SETTINGS ${settings}) AS l CROSS JOIN (SELECT 1) AS r`,
  'right side of a JOIN': (select, settings) =>
    `SELECT * FROM (SELECT 1) AS l CROSS JOIN (${select} SETTINGS ${settings}) AS r`,
  view: (select, settings) => `SELECT * FROM view(${select} SETTINGS ${settings})`,
  viewExplain: (select, settings) =>
    `SELECT * FROM viewExplain('EXPLAIN', '', (SELECT * FROM (${select} SETTINGS ${settings})))`,
  viewIfPermitted: (select, settings) =>
    `SELECT * FROM viewIfPermitted(SELECT shop_id FROM (${select} SETTINGS ${settings}) ELSE null('shop_id String'))`,
  'first arm of a UNION': (select, settings) => `(${select} SETTINGS ${settings}) UNION ALL (${select})`,
  'last arm of a UNION': (select, settings) => `(${select}) UNION ALL (${select} SETTINGS ${settings})`,
  'UNION in a sub-select': (select, settings) =>
    `SELECT * FROM ((${select} SETTINGS ${settings}) UNION ALL (${select} SETTINGS ${settings}))`,
  INTERSECT: (select, settings) => `SELECT * FROM ((${select} SETTINGS ${settings}) INTERSECT (${select}))`,
  'IN sub-query': (select, settings) =>
    `SELECT throwIf('b' IN (SELECT shop_id FROM (${select}) SETTINGS ${settings}), '${SECRET}')`,
  EXISTS: (select, settings) =>
    `SELECT throwIf(EXISTS (SELECT 1 FROM (${select}) WHERE shop_id = 'b' SETTINGS ${settings}), '${SECRET}')`,
  EXPLAIN: (select, settings) => `EXPLAIN SELECT * FROM (${select} SETTINGS ${settings})`,
  'EXPLAIN indexes': (select, settings) => `EXPLAIN indexes = 1 SELECT * FROM (${select} SETTINGS ${settings})`,
  'EXPLAIN of a scalar': (select, settings) =>
    `EXPLAIN SELECT (SELECT groupArray(tuple(*)) FROM (${select}) SETTINGS ${settings})`,
  'DESCRIBE of a sub-query': (select, settings) => `DESCRIBE TABLE (${select} SETTINGS ${settings})`,
  'a condition below': (select, settings) =>
    `SELECT * FROM (SELECT * FROM (${select}) WHERE throwIf(shop_id = 'b', '${SECRET}') = 0 SETTINGS ${settings})`,
};

/** Every setting that a row filter, the rights of the views or the safety of what they show could rely on. */
const SETTINGS = [
  "query_cache_tag = 'b'",
  "additional_table_filters = {'profit.orders': '1', 'profit.bi_users': '1'}, additional_result_filter = '1'",
  "apply_row_policy_after_final = 0, short_circuit_function_evaluation = 'disable', final = 0",
  'apply_row_policy_after_final = 1, apply_prewhere_after_final = 1, optimize_move_to_prewhere_if_final = 1',
  "use_query_cache = 1, query_cache_share_between_users = 1, query_cache_nondeterministic_function_handling = 'save'",
  'query_plan_enable_optimizations = 0, enable_optimize_predicate_expression = 0, use_query_condition_cache = 1',
  'readonly = 0, allow_ddl = 1, allow_experimental_eval_table_function = 1, enable_scalar_subquery_optimization = 0, ' +
    'max_execution_time = 0, max_memory_usage = 0, max_block_size = 1',
];

/** The settings for a view in a place: over all of them each place meets each view, and both meet all settings. */
const settingsAt = (place: number, view: number, settings = SETTINGS): string =>
  settings[(place + view + Number(process.env.PROPERTY_SEED ?? Date.now())) % settings.length] ?? '';

/** Places whose settings the engine checks, or that BI users may not use at all: nothing is answered there. */
const REFUSED = ['viewExplain', 'last arm of a UNION'];

describe('settings further in than the top of a query', function () {
  this.timeout(600_000);
  let analysts: Analysts;
  let views: string[];
  before(async () => {
    analysts = await startAnalysts();
    views = (await readDictionary('clickhouse/views/bi')).map(({ name }) => `bi.${name}`);
  });
  after(() => analysts.stop());
  /** Past the proxy, which lets none of this through: a server has none. */
  const ask = (sql: string, options: AskOptions = {}) => analysts.ask(sql, { ...options, isDirect: true });

  for (const [index, [place, query]] of Object.entries(PLACES).entries()) {
    it(`show nothing of another shop through any view: ${place}`, async () => {
      let answered = 0;
      let last = '';
      for (const [at, view] of views.entries()) {
        const sql = query(`SELECT * FROM ${view}`, settingsAt(index, at));
        const { status, text } = await ask(sql);
        if (status === 200) answered++;
        else last = text.slice(0, 300);
        expect(text, sql).not.to.contain(SECRET);
        expect(/(^|\t)b\t/m.test(text), sql).to.equal(false);
      }
      if (!REFUSED.includes(place)) expect(answered, `answered; the last: ${last}`).to.be.greaterThan(views.length / 4);
    });
  }

  it('nor by parameters of the address, by another user’s name in a query, or by a function of the setting', async () => {
    for (const params of [{ query_cache_tag: 'b' }, { additional_table_filters: "{'profit.orders': '1'}" }]) {
      expect((await ask('SELECT * FROM bi.orders', { params })).text).to.match(/CONSTRAINT|READONLY/);
    }
    for (const sql of [
      "SELECT * FROM (SELECT * FROM eval($$SELECT * FROM bi.orders SETTINGS query_cache_tag = 'b'$$) SETTINGS allow_experimental_eval_table_function = 1)",
      "WITH 'bi_b' AS authenticatedUser SELECT * FROM bi.orders",
      'SELECT * FROM profit.bi_users',
      'SELECT authenticatedUser(), shop_id FROM bi.orders',
    ]) {
      expect((await ask(sql)).text, sql).not.to.contain(SECRET);
    }
  });

  it('reach no file and no foreign address through formats', async () => {
    const target = join(analysts.engines.dataDir, 'written.proto');
    const password = readFileSync(join(analysts.engines.dataDir, 'clickhouse', 'password'), 'utf8').trim();
    for (const [format, settings] of [
      ['Template', `format_template_row = '${join(analysts.engines.dataDir, 'clickhouse', 'password')}'`],
      ['Template', "format_template_resultset = '/etc/passwd', format_template_row_format = 'x'"],
      ['Protobuf', `output_format_schema = '${target}'`],
      ['AvroConfluent', "format_avro_schema_registry_url = 'http://127.0.0.1:1/'"],
    ]) {
      for (const call of ['formatRow', 'formatRowNoNewline']) {
        const sql = `SELECT * FROM (SELECT ${call}('${format ?? ''}', 1 AS a) SETTINGS ${settings ?? ''})`;
        const { status, text } = await ask(sql);
        expect(status, sql).to.be.greaterThanOrEqual(400);
        expect(text, sql).to.contain('files cannot be read here');
        expect(text.includes('root:') || text.includes(password), sql).to.equal(false);
      }
    }
    expect(existsSync(target)).to.equal(false);
  });

  it('lift no limit on time, memory or sleep, wherever they stand', async () => {
    const top = 'SETTINGS max_execution_time = 1';
    const lifted = 'max_execution_time = 0, max_rows_to_read = 0, max_memory_usage = 0, max_threads = 64';
    const endless = `SELECT sum(sipHash64(number)) AS s FROM numbers(1000000000000)`;
    const asleep = 'SELECT sleepEachRow(1) AS s FROM numbers(100)';
    const awake = 'function_sleep_max_microseconds_per_block = 0, max_execution_time = 0';
    for (const [select, settings] of [
      [endless, `${lifted}, timeout_overflow_mode = 'break'`],
      [asleep, awake],
    ] as const) {
      for (const sql of [
        `SELECT * FROM (${select} SETTINGS ${settings}) ${top}`,
        `SELECT (${select} LIMIT 1 SETTINGS ${settings}) ${top}`,
        `WITH c AS (${select} SETTINGS ${settings}) SELECT * FROM c ${top}`,
        `SELECT 1 WHERE 1 IN (${select} SETTINGS ${settings}) ${top}`,
        `EXPLAIN SELECT (${select} LIMIT 1 SETTINGS ${settings}) ${top}`,
      ]) {
        const { text } = await ask(sql);
        expect(text, sql).to.match(/TIMEOUT_EXCEEDED|TOO_MANY_ROWS|TOO_SLOW/);
      }
    }
    // Its first block takes more than a query may have, so that no busy machine stops it for its time.
    const large = "materialize(toFixedString('x', 1000000))";
    const { text } = await ask(
      `SELECT sum(length(x)) FROM (SELECT ${large} AS x FROM numbers(100000) SETTINGS ${lifted})`,
    );
    expect(text).to.contain('MEMORY_LIMIT_EXCEEDED');
  });

  it('a query that reads more rows than it may, where the engine lets it, is stopped by the watch', async () => {
    const sql =
      'SELECT (SELECT max(number + 1) FROM numbers(1000000000000) SETTINGS max_rows_to_read = 0, max_threads = 4)';
    const answer = ask(sql);
    for (let stopped = 0; stopped === 0;) {
      await sleep(50);
      stopped = await stopUnboundQueries(analysts.servers);
    }
    expect((await answer).text).to.contain('QUERY_WAS_CANCELLED');
  });

  if (process.platform === 'linux' && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))) {
    it('nor over the native protocol, as servers offer it', async () => {
      // Without those of one row a block, with which all of this takes four times as long.
      const settings = SETTINGS.slice(0, 4);
      const statements = views.flatMap((view, at) =>
        Object.values(PLACES).map((query, index) => query(`SELECT * FROM ${view}`, settingsAt(index, at, settings))),
      );
      const file = join(analysts.engines.dataDir, 'statements.json');
      writeFileSync(file, JSON.stringify(statements));
      const script = join(import.meta.dirname, 'native_statements.py');
      const { stdout } = await run('/usr/bin/python3', [script, String(analysts.nativePort), PASSWORD, file], {
        maxBuffer: 1 << 28,
      });
      const answers = JSON.parse(stdout) as (string | string[][])[];
      expect(answers.length).to.equal(statements.length);
      const rows = answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer));
      expect(rows.filter((row) => row[0] === 'a').length).to.be.greaterThan(views.length);
      expect(rows.filter((row) => row.includes('b'))).to.deep.equal([]);
      expect(stdout).not.to.contain(SECRET);
    });
  }
});
