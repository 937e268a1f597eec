import { readSqlFiles } from '../sql-files.js';

/** A view of `bi` as its file describes it. */
export interface ViewEntry {
  name: string;
  comment: string;
  columns: { name: string; type: string; comment: string }[];
}

const COLUMN = /^ {4}(\w+) +(.+?) COMMENT '((?:[^']|'')*)',?$/;
const VIEW_COMMENT = /^COMMENT '((?:[^']|'')*)';?$/m;

/** Names, types and comments of all views and columns, from the files that the views are made of. */
export async function readDictionary(folder: string): Promise<ViewEntry[]> {
  return (await readSqlFiles(folder)).map(({ name, text }) => parseView(name, text));
}

/** Throws when a column or the view has no comment. */
export function parseView(name: string, text: string): ViewEntry {
  const lines = text.split('\n');
  const declared = lines.slice(lines.indexOf('(') + 1, lines.indexOf(')'));
  const columns = declared.map((line) => {
    const match = COLUMN.exec(line);
    if (match === null) throw new Error(`view ${name}: not a column with a comment: ${line.trim()}`);
    const [, column = '', type = '', comment = ''] = match;
    return { name: column, type, comment: unquote(comment) };
  });
  const comment = VIEW_COMMENT.exec(text)?.[1];
  if (comment === undefined) throw new Error(`view ${name} has no comment`);
  return { name, comment: unquote(comment), columns };
}

export function dictionaryMarkdown(views: readonly ViewEntry[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return views
    .map(({ name, comment, columns }) =>
      [
        `## bi.${name}`,
        '',
        comment,
        '',
        '| Column | Type | Meaning |',
        '|---|---|---|',
        ...columns.map((column) => `| \`${column.name}\` | \`${cell(column.type)}\` | ${cell(column.comment)} |`),
      ].join('\n'),
    )
    .join('\n\n');
}

/** The views as sources of a dbt project; a text in JSON is one in YAML too. */
export function dbtSources(views: readonly ViewEntry[]): string {
  const entry = (indent: string, name: string, comment: string): string =>
    `${indent}- name: ${name}\n${indent}  description: ${JSON.stringify(comment)}\n`;
  const tables = views.map(
    ({ name, comment, columns }) =>
      `${entry('      ', name, comment)}        columns:\n` +
      columns.map((column) => entry('          ', column.name, column.comment)).join(''),
  );
  return `version: 2\nsources:\n  - name: bi\n    schema: bi\n    tables:\n${tables.join('')}`;
}

const unquote = (text: string): string => text.replaceAll("''", "'");
