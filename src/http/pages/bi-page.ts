import { dictionaryMarkdown, type ViewEntry } from '../../warehouse/bi/dictionary.js';
import { ANSWER_SETTINGS } from '../../warehouse/bi/answer-settings.js';
import type { Question } from '../../warehouse/bi/questions.js';
import { SQL_ADVICE } from '../../warehouse/bi/sql-advice.js';
import { BI_RECIPES } from './bi-recipes.js';

/** Files for tools, below the page. */
export const BI_FILES = [
  { name: 'grafana.json', what: 'a dashboard for Grafana' },
  { name: 'cube.yml', what: 'a model for Cube' },
  { name: 'sources.yml', what: 'sources for dbt' },
] as const;

/** The page of `GET /bi`, in Markdown. */
export function biMarkdown(views: readonly ViewEntry[], questions: readonly Question[]): string {
  const recipes = BI_RECIPES.map(
    ({ tool, steps }) => `### ${tool}\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join('\n')}`,
  );
  const asked = questions.map(
    ({ title, description, sql }) => `### ${title}\n\n${description}\n\n\`\`\`sql\n${sql}\n\`\`\``,
  );
  return `# BI tools read the warehouse

Connect with a user of your shop: \`npm run --silent profit -- bi create-user --shop ID\` prints host, port,
database, user and password, once. The user reads the views of the database \`bi\` and sees its shop alone. The port
speaks HTTP; a ClickHouse server of your own has a native port too, which is then printed beside. A query may take 60 s and 2 GiB; clients may set time zones, lower limits and
[the form of an answer](#form-of-an-answer).

Views hold the newest version of everything, without deleted records; no \`FINAL\` is needed. Money is exact:
read decimals as strings or as the decimal type of your tool. Filter by the day column of a view, and it reads those days
alone; only \`customer_order_number\` and \`is_first_order\` need all days of the shop. Orders are found by \`order_id\` and \`customer_id\` without a day too. Join views of orders by
\`placed_day\` and \`order_id\`: with the day it takes a fraction of the time. \`daily_metrics\` ends
today, while the API accrues the expenses of days to come too, where they are asked for. Columns are added over time; none
changes its meaning.
Write days that exist: the engine reads \`'2026-11-31'\` as 1 December and \`'2026-13-01'\` as 1 January 1970, without an error,
so that \`BETWEEN '2026-11-01' AND '2026-11-31'\` counts a day of December; \`toLastDayOfMonth(day)\` gives the last day of a month.

- [Connect](#connect)
- [Questions](#questions)
- [SQL of your own](#sql-of-your-own)
- [Form of an answer](#form-of-an-answer)
- [Data dictionary](#data-dictionary): ${views.map(({ name }) => `[${name}](#bi${name})`).join(', ')}

## Connect

Ready to use: ${BI_FILES.map(({ name, what }) => `[${what}](/bi/${name})`).join(', ')}.

${recipes.join('\n\n')}

## Questions

${asked.join('\n\n')}

## SQL of your own

What stands under “Not” is valid, and gives another figure than it seems to.

| Write | Not | Since |
|---|---|---|
${SQL_ADVICE.map(({ write, insteadOf, why }) => `| \`${write}\` | \`${insteadOf}\` | ${why} |`).join('\n')}

A left join without a match and the total of \`ROLLUP\` give \`NULL\` here, not 0, \`''\` or 1970-01-01; \`grouping(key)\` tells a total from a
row without a key.

## Form of an answer

Each of these settings may be given with a query, as \`SETTINGS …\` at its end or in its address. What is neither here nor named above is refused.

| Setting | For |
|---|---|
${Object.entries(ANSWER_SETTINGS)
  .map(([name, { why }]) => `| \`${name}\` | ${why.replaceAll('|', '\\|')} |`)
  .join('\n')}

## Data dictionary

${dictionaryMarkdown(views).replaceAll(/^## /gm, '### ')}
`;
}
