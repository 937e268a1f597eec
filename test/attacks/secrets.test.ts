import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROXY_KEY_HEADER } from '../../src/embedded/engines/proxy-key.js';
import { PASSWORD, startAnalysts, type Analysts } from '../bi/analysts.js';

/** A variable of the process that starts the engine. */
const PLANTED = 'PROFIT_TEST_PLANTED';

/** Every place of a query where columns may be read below nested SETTINGS, and the top, where such settings are refused. */
const PLACES: Record<string, (columns: string, settings: string) => string> = {
  FROM: (columns, settings) => `SELECT * FROM (SELECT ${columns} SETTINGS ${settings})`,
  'FROM twice': (columns, settings) => `SELECT * FROM (SELECT * FROM (SELECT ${columns} SETTINGS ${settings}))`,
  JOIN: (columns, settings) =>
    `SELECT r.* FROM (SELECT 1 AS one) AS l CROSS JOIN (SELECT ${columns} SETTINGS ${settings}) AS r`,
  'scalar sub-query': (columns, settings) => `SELECT (SELECT ${columns} SETTINGS ${settings})`,
  WITH: (columns, settings) => `WITH c AS (SELECT ${columns} SETTINGS ${settings}) SELECT * FROM c`,
  'scalar WITH': (columns, settings) => `WITH (SELECT ${columns} SETTINGS ${settings}) AS c SELECT c`,
  UNION: (columns, settings) =>
    `SELECT * FROM ((SELECT ${columns} SETTINGS ${settings}) UNION ALL (SELECT ${columns}))`,
  IN: (columns, settings) =>
    `SELECT toString(tuple(${columns})) IN (SELECT toString(tuple(${columns})) SETTINGS ${settings}) SETTINGS limit = 1`,
  'EXPLAIN of a scalar': (columns, settings) => `EXPLAIN SELECT (SELECT tuple(${columns}) SETTINGS ${settings})`,
  view: (columns, settings) => `SELECT * FROM view(SELECT ${columns} SETTINGS ${settings})`,
  viewExplain: (columns, settings) =>
    `SELECT * FROM viewExplain('EXPLAIN', '', (SELECT * FROM (SELECT ${columns} SETTINGS ${settings})))`,
  'argument of a table function': (columns, settings) =>
    `SELECT * FROM values('x String', (SELECT toString(tuple(${columns})) SETTINGS ${settings}))`,
  top: (columns) => `SELECT ${columns}`,
};

/** Places that BI users may not use at all, and the top, where the calls below settings are refused. */
const REFUSED = ['viewExplain', 'argument of a table function', 'top'];

describe('secrets of the engine', function () {
  this.timeout(600_000);
  let analysts: Analysts;
  let settings: string;
  let secrets: Record<string, string>;
  let asked = 0;
  before(async () => {
    process.env[PLANTED] = 'a value of the environment';
    analysts = await startAnalysts();
    const { password, proxyKey } = analysts.engines.clickhouse;
    secrets = {
      'the password of the service': password,
      'its hash': createHash('sha256').update(password).digest('hex'),
      'the key of the proxy': proxyKey,
      'the sign-in of the service': Buffer.from(`profit:${password}`).toString('base64'),
      'the environment': 'a value of the environment',
      'a file of the machine': 'root:x:0',
      'the hash of an analyst’s password': createHash('sha256').update(PASSWORD).digest('hex'),
    };
    const allowing = await analysts.warehouse.query<{ name: string }>(
      "SELECT name FROM system.settings WHERE name LIKE 'allow%' AND type = 'Bool' AND alias_for = '' AND value = '0'",
    );
    expect(allowing.length).to.be.greaterThan(20);
    settings = allowing.map(({ name }) => `${name} = 1`).join(', ');
  });
  after(async () => {
    delete process.env.PROFIT_TEST_PLANTED;
    await analysts.stop();
  });

  /**
   * Whether the statement is answered, and the code of the error if not. It gets to the engine as the proxy sends it. The hourly quota of
   * one user is less than is asked here.
   */
  const ask = async (sql: string): Promise<{ isAnswered: boolean; code: string | undefined }> => {
    const { url, proxyKey } = analysts.engines.clickhouse;
    const user = asked++ % 2 === 0 ? 'bi_a' : 'bi_b';
    const headers = { [PROXY_KEY_HEADER]: proxyKey, 'X-ClickHouse-User': user, 'X-ClickHouse-Key': PASSWORD };
    const answer = await fetch(url, { method: 'POST', headers, body: sql });
    const text = await answer.text();
    for (const [what, secret] of Object.entries(secrets)) {
      expect(text.includes(secret), `${what}: ${sql.replace(settings, '…')}`).to.equal(false);
    }
    return { isAnswered: answer.status === 200, code: /^Code: (\d+)/.exec(text)?.[1] };
  };
  const names = async (table: string): Promise<string[]> =>
    (await analysts.warehouse.query<{ name: string }>(`SELECT DISTINCT name FROM ${table} ORDER BY name`)).map(
      ({ name }) => name,
    );
  const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
    const left = [...items];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
      }),
    );
  };

  /** Lists of arguments, by their length: names of headers, variables, settings, ports, macros and files. */
  const argumentLists = (): string[][][] => {
    const folder = join(analysts.engines.dataDir, 'clickhouse');
    const texts = [PROXY_KEY_HEADER, 'Authorization', PLANTED, 'http_port', join(folder, 'password')].map(
      (text) => `'${text}'`,
    );
    const [first = ''] = texts;
    return [
      [[]],
      [...texts.map((text) => [text]), ['1']],
      [
        [first, first],
        ["'profit'", "'orders'"],
        [first, '1'],
      ],
      [["'profit'", "'api_keys'", "'key_hash'"]],
    ];
  };
  const WRONG_NUMBER = new Set(['42', '34', '35']);
  const WRONG_TYPE = '43';
  const NOT_ALLOWED = '497';
  const BATCH = 64;

  /** Calls of the function that are answered. Texts are not tried further where the first one is of a wrong type. */
  const answeredCalls = async (name: string): Promise<string[]> => {
    const answered: string[] = [];
    const called = /^\w+$/.test(name) ? name : `\`${name}\``;
    for (const lists of argumentLists()) {
      let takesTexts = true;
      for (const [index, list] of lists.entries()) {
        if (!takesTexts && list.every((text) => text.startsWith("'"))) continue;
        const call = `${called}(${list.join(', ')})`;
        const { isAnswered, code } = await ask(`SELECT * FROM (SELECT ${call} AS x SETTINGS ${settings})`);
        if (isAnswered) answered.push(call);
        if (index === 0 && WRONG_NUMBER.has(code ?? '')) break;
        if (index === 0 && code === WRONG_TYPE) takesTexts = false;
      }
    }
    return answered;
  };

  it('are in the answer of no function, wherever a sub-query may stand, with every setting that allows something', async () => {
    const functions = (await names('system.functions')).filter((name) => !name.startsWith('sleep'));
    expect(functions.length).to.be.greaterThan(1_500);
    const answered: string[] = [];
    await inTurns(functions, async (name) => {
      answered.push(...(await answeredCalls(name)).slice(-1));
    });
    expect(answered.length).to.be.greaterThan(800);

    for (const [place, query] of Object.entries(PLACES)) {
      let count = 0;
      const askAll = async (calls: readonly string[]): Promise<void> => {
        const columns = calls.map((call, i) => `${call} AS c${i}`).join(', ');
        const { isAnswered, code } = await ask(query(columns, settings));
        if (isAnswered) count += calls.length;
        if (isAnswered || calls.length === 1 || code === NOT_ALLOWED) return;
        const half = Math.ceil(calls.length / 2);
        await askAll(calls.slice(0, half));
        await askAll(calls.slice(half));
      };
      const batches = Array.from({ length: Math.ceil(answered.length / BATCH) }, (_, i) =>
        answered.slice(i * BATCH, (i + 1) * BATCH),
      );
      await inTurns(batches, askAll);
      if (!REFUSED.includes(place)) expect(count, place).to.be.greaterThan(answered.length / 2);
    }
  });

  it('are in no table of the engine that can be read, and in the answer of no function of tables', async () => {
    for (const table of await names(`system.tables WHERE database IN ('system', 'bi')`)) {
      for (const database of ['system', 'bi']) await ask(`SELECT * FROM ${database}.\`${table}\` LIMIT 5000`);
    }
    const lists = argumentLists().flat();
    // `sqlite` makes an empty file of the given name before it refuses.
    const functions = (await names('system.table_functions')).filter((name) => name !== 'sqlite');
    await inTurns(functions, async (name) => {
      for (const list of lists) await ask(`SELECT * FROM ${name}(${list.join(', ')}) LIMIT 100`);
    });
    for (const what of ['ENGINES', 'FUNCTIONS', "SETTINGS LIKE '%'", 'CREATE TABLE bi.orders', 'GRANTS', 'CLUSTERS']) {
      await ask(`SHOW ${what}`);
    }
  });

  it('no function reads the headers of the request, as it is closed', async () => {
    const call = (header: string): string => `getClientHTTPHeader('${header}')`;
    for (const [place, query] of Object.entries(PLACES)) {
      if (place === 'viewExplain') continue;
      for (const header of ['User-Agent', PROXY_KEY_HEADER]) {
        const { text } = await analysts.ask(query(call(header), 'allow_get_client_http_header = 1'));
        expect(text, place).to.match(/headers cannot be read here|ACCESS_DENIED/);
      }
    }
    const { text } = await analysts.ask("SELECT getclienthttpheader('User-Agent')");
    expect(text).to.contain('UNKNOWN_FUNCTION');
  });
});
