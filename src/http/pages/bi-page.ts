import type { ViewEntry } from '../../warehouse/bi/dictionary.js';
import type { Question } from '../../warehouse/bi/questions.js';
import { BI_RECIPES } from './bi-recipes.js';

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const anchor = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function viewSection({ name, comment, columns }: ViewEntry): string {
  const rows = columns.map(
    (column) =>
      `<tr><td><code>${escape(column.name)}</code></td><td><code>${escape(column.type)}</code></td><td>${escape(column.comment)}</td></tr>`,
  );
  return `<section id="${anchor(name)}"><h3>bi.${escape(name)}</h3><p>${escape(comment)}</p>
<table><thead><tr><th>Column</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></section>`;
}

const questionSection = ({ title, description, sql }: Question): string =>
  `<section id="${anchor(title)}"><h3>${escape(title)}</h3><p>${escape(description)}</p><pre><code>${escape(sql)}</code></pre></section>`;

const recipeSection = ({ tool, steps }: (typeof BI_RECIPES)[number]): string =>
  `<section id="${anchor(tool)}"><h3>${escape(tool)}</h3><ol>${steps.map((step) => `<li>${escape(step)}</li>`).join('')}</ol></section>`;

/** Files for tools, below the page. */
export const BI_FILES = [
  { name: 'grafana.json', what: 'a dashboard for Grafana' },
  { name: 'cube.yml', what: 'a model for Cube' },
  { name: 'sources.yml', what: 'sources for dbt' },
] as const;

/** The page of `GET /bi`. All addresses are relative, so that it works below a path of a proxy too. */
export function biPage(views: readonly ViewEntry[], questions: readonly Question[]): string {
  const link = (text: string, target = text): string => `<a href="#${anchor(target)}">${escape(text)}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Profit metrics: BI tools</title>
<link rel="icon" href="favicon.ico">
<link rel="stylesheet" href="bi/style.css">
</head>
<body>
<main>
<h1>BI tools read the warehouse</h1>
<p>Connect with a user of your shop: <code>npm run --silent profit -- bi create-user --shop ID</code> prints host, port,
database, user and password, once. The user reads the views of the database <code>bi</code> and sees its shop alone. The port
speaks HTTP; a ClickHouse server of your own has a native port too, which is then printed beside. A query may take 60 s and 2 GiB; clients may set time zones, formats and lower limits.</p>
<p>Views hold the newest version of everything, without deleted records; no <code>FINAL</code> is needed. Money is exact:
read decimals as strings or as the decimal type of your tool. Filter by the day column of a view, and it reads those days
alone. Orders are found by <code>order_id</code> and <code>customer_id</code> without a day too. Join views of orders by
<code>placed_day</code> and <code>order_id</code>: with the day it takes a fraction of the time. Columns are added over time; none
changes its meaning.</p>
<nav><h2>On this page</h2><ul>
<li>${link('Connect')}: ${BI_RECIPES.map(({ tool }) => link(tool)).join(', ')}</li>
<li>${link('Questions')}: ${questions.map(({ title }) => link(title)).join(', ')}</li>
<li>${link('Data dictionary')}: ${views.map(({ name }) => link(name)).join(', ')}</li>
</ul></nav>
<h2 id="connect">Connect</h2>
<p>Ready to use: ${BI_FILES.map(({ name, what }) => `<a href="bi/${name}" download>${what}</a>`).join(', ')}.</p>
${BI_RECIPES.map(recipeSection).join('\n')}
<h2 id="questions">Questions</h2>
${questions.map(questionSection).join('\n')}
<h2 id="data-dictionary">Data dictionary</h2>
${views.map(viewSection).join('\n')}
</main>
</body>
</html>
`;
}

export const BI_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 70rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8884; }
pre { overflow-x: auto; padding: 0.75rem; background: #8882; }
code { font: 0.9em ui-monospace, monospace; }
`;
