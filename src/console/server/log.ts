import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Type from 'typebox';
import type { AccessLog, Deed } from '../../domain/access-log.js';
import type { Column } from '../../http/exports/columns.js';
import { toCsv } from '../../http/exports/csv.js';
import { CONTENT_TYPES } from '../../http/exports/format.js';
import { cursor } from '../../http/parameters.js';
import { LogAnswer, type LogEntry } from '../../schemas/people.js';
import { appRoute, type AppRoute } from './app-route.js';

const PAGE = 50;
/** Entries that a page looks at: a file that is uploaded writes one for each line. */
const LOOKED = 1_000;
/** Equal ones that follow one another within this time are one line of a page. */
const TOGETHER_MS = 60_000;
const CSV_PAGE = 2_000;
/** The newest that a file holds. */
const MAX_IN_FILE = 100_000;
const FILE_MS = 120_000;

const COLUMNS: readonly Column[] = (['at', 'person_id', 'name', 'what', 'shop'] as const).map((name) => ({
  name,
  kind: name === 'at' ? 'timestamp' : 'text',
  path: [name],
}));

const BEFORE = { name: 'before', description: 'The `next` of the page before.', schema: Type.String() };

/** Who did what, page by page and, entry by entry, as a file. */
export const logRoutes: readonly AppRoute<{ log: AccessLog }>[] = [
  appRoute('owner', 'GET /app/api/log', {
    query: { before: cursor(parseCursor, BEFORE) },
    answers: { 200: LogAnswer },
    async run({ query: { before } }, { log }) {
      const found = await log.list(LOOKED + 1, before);
      const folds = folded(found.slice(0, LOOKED));
      const shown = folds.slice(0, PAGE);
      const isMore = folds.length > PAGE || found.length > LOOKED;
      const last = shown.at(-1)?.last;
      return {
        entries: shown.map(({ first, times }) => ({ ...toEntry(first), times })),
        ...(isMore && last !== undefined && { next: `${last.at}.${last.entryId}` }),
      };
    },
  }),
  appRoute('owner', 'GET /app/api/log/csv', {
    async run({ res }, { log }) {
      const first = await log.list(CSV_PAGE);
      res.setHeader('Content-Type', CONTENT_TYPES.csv);
      res.setHeader('Content-Disposition', 'attachment; filename="who-did-what.csv"');
      const file = Readable.from(toCsv(COLUMNS, pages(log, first)));
      // A client that has left, or is too slow, gets a broken connection, as with a read that fails midway: no part looks like the whole.
      await pipeline(file, res, { signal: AbortSignal.timeout(FILE_MS) }).catch(() => undefined);
    },
  }),
];

/** What one did again and again, as the newest and the oldest of it. */
interface Fold {
  first: Deed;
  last: Deed;
  times: number;
}

/** The entries, newest first, with those that say the same again in one. */
function folded(deeds: readonly Deed[]): Fold[] {
  const folds: Fold[] = [];
  for (const deed of deeds) {
    const fold = folds.at(-1);
    if (fold === undefined || !isAgain(deed, fold.last)) folds.push({ first: deed, last: deed, times: 1 });
    else Object.assign(fold, { last: deed, times: fold.times + 1 });
  }
  return folds;
}

const isAgain = (deed: Deed, later: Deed): boolean =>
  later.at - deed.at <= TOGETHER_MS &&
  (['personId', 'name', 'what', 'shop'] as const).every((field) => deed[field] === later[field]);

async function* pages(log: AccessLog, first: Deed[]): AsyncGenerator<LogRow[]> {
  let page = first;
  for (let count = page.length; ; count += page.length) {
    yield page.map(toEntry);
    const last = page.at(-1);
    if (last === undefined || page.length < CSV_PAGE || count >= MAX_IN_FILE) return;
    page = await log.list(CSV_PAGE, last);
  }
}

type LogRow = Omit<LogEntry, 'times'>;

const toEntry = ({ at, entryId, personId, name, what, shop }: Deed): LogRow => ({
  entry_id: entryId,
  at: new Date(at).toISOString(),
  person_id: personId,
  name,
  what,
  shop: shop === '' ? null : shop,
});

function parseCursor(text: string): Pick<Deed, 'at' | 'entryId'> | null {
  const [, at, entryId] = /^(\d{1,15})\.([\w-]{16})$/.exec(text) ?? [];
  return at === undefined || entryId === undefined ? null : { at: Number(at), entryId };
}
