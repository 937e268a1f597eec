import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ERROR_CATALOGUE, ERROR_CODES, HOLD_CODES, type ErrorCode } from '../../error-catalogue.js';
import { statusOf } from '../../errors.js';
import { clickhouseFolder, sourceFile } from '../../paths.js';
import { dbtSources, readDictionary } from '../../warehouse/bi/dictionary.js';
import { readQuestions } from '../../warehouse/bi/questions.js';
import { BI_FILES, biMarkdown } from './bi-page.js';
import { framedPage, type FramedPage } from './frame.js';
import { renderMarkdown } from './markdown.js';
import { referencePages } from './reference.js';

/** The guides, in the order in which they are read; the first one is the front page. */
export const GUIDES = [
  'getting-started',
  'push',
  'shopify',
  'woocommerce',
  'costs',
  'statement',
  'pixel',
  'alerts',
  'assistants',
  'errors',
] as const;

/** A page or file of the documentation as it is sent. */
export interface SitePage {
  type: 'html' | 'markdown' | 'text' | 'json' | 'yaml';
  text: string;
}

interface Source {
  /** Its address without its first slash. */
  path: string;
  markdown: string;
}

const tableOf = (codes: readonly ErrorCode[], withStatus: boolean): string =>
  [
    `| Code |${withStatus ? ' Status |' : ''} Meaning | What to change |`,
    `|---|${withStatus ? '---|' : ''}---|---|`,
    ...codes.map((code) => {
      const { meaning, remedy } = ERROR_CATALOGUE[code];
      return `| \`${code}\` |${withStatus ? ` ${statusOf(code)} |` : ''} ${meaning} | ${remedy} |`;
    }),
  ].join('\n');

/** What guides say that the code decides: a line that names it is replaced. */
const TABLES: Readonly<Record<string, string>> = {
  '{{holds}}': tableOf(HOLD_CODES, false),
  '{{errors}}': tableOf(ERROR_CODES, true),
};

/** A guide as its twin shows it. */
export function readGuide(name: (typeof GUIDES)[number]): string {
  const text = readFileSync(sourceFile(`http/pages/docs/${name}.md`), 'utf8');
  return Object.entries(TABLES).reduce((filled, [line, table]) => filled.replace(line, () => table), text);
}

/** Every address of the documentation, without its first slash, and what is there; `document` is that of OpenAPI. */
export async function docsSite(document: unknown): Promise<{ pages: Map<string, SitePage>; missing: SitePage }> {
  const guides = GUIDES.map((name, i) => ({ path: i === 0 ? 'docs' : `docs/${name}`, markdown: readGuide(name) }));
  const reference = referencePages(document);
  const views = await readDictionary(clickhouseFolder('views/bi'));
  const questions = await readQuestions(clickhouseFolder('views/questions'));
  const bi = [{ path: 'bi', markdown: biMarkdown(views, questions) }];
  const rendered = (sources: readonly Source[]) =>
    sources.map(({ path, markdown }) => {
      const root = '../'.repeat(path.split('/').length - 1);
      return { path, root, markdown, ...renderMarkdown(markdown, root) };
    });
  const groups = [
    { heading: 'Guides', entries: rendered(guides) },
    { heading: 'Analysts', entries: rendered(bi) },
    { heading: 'Reference', entries: rendered(reference) },
  ];
  const frame = (page: Omit<FramedPage, 'contents'>): SitePage => ({
    type: 'html',
    text: framedPage({ ...page, contents: groups }),
  });

  const pages = new Map<string, SitePage>();
  for (const { markdown, ...page } of groups.flatMap(({ entries }) => entries)) {
    pages.set(page.path, frame({ ...page, hasMarkdown: true }));
    pages.set(`${page.path}.md`, { type: 'markdown', text: markdown });
  }
  for (const { name } of BI_FILES) {
    const isWritten = name === 'sources.yml';
    const text = isWritten ? dbtSources(views) : await readFile(clickhouseFolder(`views/tools/${name}`), 'utf8');
    pages.set(`bi/${name}`, { type: name.endsWith('json') ? 'json' : 'yaml', text });
  }
  const lists = groups.map(({ heading, entries }) => {
    const lines = entries.map(({ path, title, summary }) => `- [${title}](${path}.md): ${summary}`);
    return `## ${heading}\n\n${lines.join('\n')}\n`;
  });
  const about =
    'Profit figures of an online store: orders, costs and browser events are pushed, exact figures are read.';
  const machine = '## Optional\n\n- [OpenAPI 3.1](openapi.json): the reference for programs.\n';
  pages.set('llms.txt', { type: 'text', text: [`# Profit metrics\n\n> ${about}\n`, ...lists, machine].join('\n') });
  return { pages, missing: frame(NOTHING_HERE) };
}

/** It is shown at any address, so that its own are from the root. */
const NOTHING_HERE = {
  path: '',
  title: 'There is no such page',
  summary: 'There is no page at this address.',
  html: '<p>There is no page at this address. Those of the documentation are in the contents; figures are under <a href="/">all shops</a>.</p>\n',
  root: '/',
  hasMarkdown: false,
};
