import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Engines } from '../engines.js';

const FOLDER = 'test/support/earlier-statements';

/** A request to ClickHouse, as a release sent it. */
export interface Statement {
  /** What stood in its address: parameters, settings, and the statement itself where the body holds rows. */
  search: Record<string, string>;
  text?: string;
  base64?: string;
  /** The lines that a question was answered with, sorted. */
  answer?: string[];
}

/** What a release sent to ClickHouse for a shop, until and after the moment at which the schema may become newer. */
export interface EarlierRelease {
  shop: string;
  before: Statement[];
  after: Statement[];
  /** What the shop read in the end, by path. */
  answers: Record<string, object>;
}

/** The releases by the number of their newest migration. */
export const RECORDED = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .sort();

export const readRelease = (name: string): EarlierRelease =>
  JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8')) as EarlierRelease;

export const sortedLines = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .sort();

type Server = Pick<Engines['clickhouse'], 'url' | 'username' | 'password'>;

/** Sends them to a database one after the other; each has to be answered as the release was answered. */
export async function replay(statements: readonly Statement[], server: Server, database: string): Promise<void> {
  const credentials = Buffer.from(`${server.username}:${server.password}`).toString('base64');
  const headers = { Authorization: `Basic ${credentials}` };
  for (const { search, text, base64, answer } of statements) {
    const url = `${server.url}/?${new URLSearchParams({ ...search, database }).toString()}`;
    const body = text ?? Buffer.from(base64 ?? '', 'base64');
    const response = await fetch(url, { method: 'POST', headers, body });
    const said = await response.text();
    const sql = search.query ?? text;
    expect(response.status, `${said}\n${sql}`).to.equal(200);
    if (answer !== undefined) expect(sortedLines(said), sql).to.deep.equal(answer);
  }
}
