import { expect } from 'chai';
import { parse } from 'yaml';
import { dictionaryMarkdown, parseView, readDictionary } from '../../src/warehouse/bi/dictionary.js';
import { readQuestions } from '../../src/warehouse/bi/questions.js';
import { SQL_ADVICE } from '../../src/warehouse/bi/sql-advice.js';
import { useService } from '../support/service.js';
import { BI_VIEWS } from './views-of-bi.js';

describe('GET /bi', () => {
  const service = useService({ workers: false });

  it('shows every view, column and question, under a policy that lets nothing inline run', async () => {
    const { status, headers, body } = await service.call('GET', '/bi');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.contain('text/html');
    expect(headers.get('content-security-policy')).to.contain("default-src 'none'").and.not.to.contain('unsafe');
    expect(body).not.to.match(/<script>|style="|onclick/);
    for (const text of ['bi.daily_metrics', 'net_profit_after_expenses', 'Refund rate by SKU', 'Grafana', 'Metabase']) {
      expect(body).to.contain(text);
    }
    expect(body).to.contain('Superset').and.to.contain('Cube').and.to.contain('FROM bi.daily_metrics');
    const targets = [...String(body).matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets).to.not.be.empty;
    for (const target of targets) expect(body).to.contain(`id="${target}"`);
    expect((await service.call('POST', '/bi', { body: {} })).status).to.equal(405);
  });

  it('its dictionary is what the warehouse says of itself', async () => {
    const views = await readDictionary('clickhouse/views/bi');
    expect(views.map(({ name }) => name)).to.deep.equal(BI_VIEWS);
    const columns = await service.stores.warehouse.query(
      `SELECT table, name, type, comment FROM system.columns WHERE database = 'bi' ORDER BY table, position`,
    );
    const tables = await service.stores.warehouse.query(
      `SELECT name, comment FROM system.tables WHERE database = 'bi' ORDER BY name`,
    );
    expect(columns).to.deep.equal(
      views.flatMap((view) => view.columns.map((column) => ({ table: view.name, ...column }))),
    );
    expect(tables).to.deep.equal(views.map(({ name, comment }) => ({ name, comment })));
    expect(dictionaryMarkdown(views)).to.contain(
      '| `orders` | `UInt64` | Orders that count: paid, no test, not deleted. |',
    );
  });

  it('has files for Grafana, Cube and dbt, whose sources are the views that exist', async () => {
    const { body: page } = await service.call('GET', '/bi');
    const files = [...String(page).matchAll(/href="bi\/([^"]+)"/g)].map(([, name]) => name);
    expect(files).to.deep.equal(['grafana.json', 'cube.yml', 'sources.yml']);
    expect((await service.call('GET', '/bi/grafana.json')).body.panels).to.have.length.above(5);
    expect(parse((await service.call('GET', '/bi/cube.yml')).body as string).cubes).to.have.length(4);
    const sources = parse((await service.call('GET', '/bi/sources.yml')).body as string) as {
      sources: [{ schema: string; tables: { name: string; description: string; columns: object[] }[] }];
    };
    const [{ schema, tables }] = sources.sources;
    const views = await service.stores.warehouse.query(
      `SELECT name, comment AS description FROM system.tables WHERE database = '${schema}' ORDER BY name`,
    );
    expect(tables.map(({ name, description }) => ({ name, description }))).to.deep.equal(views);
    const columns = await service.stores.warehouse.query(
      `SELECT table, name, comment AS description FROM system.columns WHERE database = '${schema}' ORDER BY table, position`,
    );
    expect(tables.flatMap((table) => table.columns.map((column) => ({ table: table.name, ...column })))).to.deep.equal(
      columns,
    );
  });

  it('its questions have a title, a sentence and SQL that reads nothing but bi', async () => {
    const questions = await readQuestions('clickhouse/views/questions');
    expect(questions.length).to.equal(27);
    for (const { title, description, sql } of questions) {
      expect(title, sql).to.match(/^[A-Z]/);
      expect(description).to.match(/\.$/);
      expect([...sql.matchAll(/(?:FROM|JOIN) (\w+)/g)].filter(([, name]) => name !== 'bi')).to.deep.equal([]);
    }
  });

  it('advises SQL that gives another figure than what one might write', async () => {
    const rows = `(SELECT line.1 AS sku, line.2 AS unit_cost, toDecimal128(line.3, 12) AS amount, toDate('2026-03-01') + n AS day
      FROM (SELECT arrayJoin(arrayEnumerate(lines)) - 1 AS n, lines[n + 1] AS line,
        [('A', CAST('3.5', 'Nullable(Decimal(38, 12))'), '0.1'), ('B', NULL, '19.99')] AS lines))`;
    const figures = [
      ['0.019,3.7981', '0.019000000000000003,3.7981'],
      ['19.99,19.99', '19.98,19.98'],
      ['0.1,0.99', '0,0'],
      ['10.045', '19.99'],
      ["[('A',3.5),('B',NULL)]", "['A','B'],[3.5]"],
      ['\\N', '3.5'],
      ['\\N,19.89', '0.1,19.89'],
      ['2026-02-23,2026-03-02', '2026-03-01,2026-03-01'],
      ['2026-01-31,2026-02-28,2026-03-31', '2026-01-31,2026-02-28,2026-03-28'],
    ];
    const ask = async (term: string): Promise<string> => {
      const isSeries = term.includes('MONTH') || term.includes('Month');
      const series = term.startsWith('WITH FILL')
        ? `SELECT toDate('2026-01-31') AS d ORDER BY d ${term.replace('FILL', "FILL TO toDate('2026-04-01')")}`
        : `SELECT ${term} FROM (SELECT number AS n FROM numbers(3))`;
      const sql = isSeries ? series : `SELECT ${term} FROM ${rows}`;
      const bytes = await service.stores.warehouse.queryBytes({ name: 'advice', sql: `${sql} FORMAT TSVRaw` });
      return String(bytes)
        .trim()
        .replaceAll(/[\t\n]/g, ',');
    };
    const seen = [];
    for (const { write, insteadOf } of SQL_ADVICE) seen.push([await ask(write), await ask(insteadOf)]);
    expect(seen).to.deep.equal(figures);
  });

  it('a view without comments is no view', () => {
    expect(() => parseView('x', "CREATE\n(\n    a String\n)\nCOMMENT 'x';")).to.throw('not a column with a comment');
    expect(() => parseView('x', "CREATE\n(\n    a String COMMENT 'it''s'\n)\n")).to.throw('has no comment');
  });
});
