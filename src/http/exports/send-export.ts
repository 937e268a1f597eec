import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { TObject } from 'typebox';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import { authOf } from '../middleware/authenticate.js';
import { columnsOf } from './columns.js';
import { toCsv, withHead } from './csv.js';
import { CONTENT_TYPES, type ExportFormat } from './format.js';
import { ahead } from './pages.js';
import { toParquet } from './parquet.js';
import type { ExportSlots } from './slots.js';

/** Rows that are read at once. */
export const EXPORT_PAGE = 3_000;
/** A client has so long to take the next {@link PIECE_BYTES}, and the whole has so long to arrive. */
const PIECE_MS = 30_000;
const WHOLE_MS = 3_600_000;
const PIECE_BYTES = 64 * 1024;

export interface Export {
  format: ExportFormat;
  /** What it holds, as the name of the file begins. */
  name: string;
  /** The days that it is of, if it is of days. */
  range?: DayRange;
  /** Of a row. */
  schema: TObject;
  /** At least one, which may be empty; or what the warehouse writes: of CSV all lines but the first. */
  pages: AsyncIterable<readonly object[]> | { written: AsyncIterable<Buffer> };
}

/**
 * Sends a whole result page by page, one read ahead of what the client has taken. Fails like any other request until
 * the first page is there; after that the connection breaks, so that a part never looks like the whole.
 */
export type SendExport = (req: Request, res: Response, wanted: Export) => Promise<void>;

export function createExports(slots: ExportSlots): SendExport {
  return async (req, res, wanted) => {
    if (req.method === 'HEAD') {
      setHeaders(req, res, wanted);
      res.end();
      return;
    }
    const release = slots.take(authOf(res).shopId);
    const chunks = chunksOf(wanted);
    try {
      const first = await chunks.next();
      const isZipped = setHeaders(req, res, wanted);
      await send(req, res, pieces(first, chunks), isZipped);
    } finally {
      await chunks.return(undefined); // after the page that is being read, if the client has left
      release();
    }
  };
}

async function* chunksOf({ format, schema, pages }: Export): AsyncGenerator<Buffer | string> {
  const columns = columnsOf(schema);
  if ('written' in pages) yield* format === 'csv' ? withHead(columns, pages.written) : pages.written;
  else yield* format === 'csv' ? toCsv(columns, ahead(pages)) : toParquet(columns, ahead(pages));
}

/** Returns whether the content is to be compressed. */
function setHeaders(req: Request, res: Response, { format, name, range }: Export): boolean {
  const days = range === undefined ? '' : `_${formatDay(range.from)}_${formatDay(range.to)}`;
  // What a Parquet file holds is compressed already.
  const isZipped = format === 'csv' && req.acceptsEncodings('gzip', 'identity') === 'gzip';
  res.vary('Accept-Encoding');
  res.setHeader('Content-Type', CONTENT_TYPES[format]);
  res.setHeader('Content-Disposition', `attachment; filename="${name}${days}.${format}"`);
  if (isZipped) res.setHeader('Content-Encoding', 'gzip');
  return isZipped;
}

async function* pieces(
  first: IteratorResult<Buffer | string>,
  rest: AsyncGenerator<Buffer | string>,
): AsyncGenerator<Buffer> {
  for (let next = first; next.done !== true; next = await rest.next()) {
    const bytes = Buffer.from(next.value);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

async function send(req: Request, res: Response, source: AsyncIterable<Buffer>, isZipped: boolean): Promise<void> {
  const stop = new AbortController();
  const stopAfter = (ms: number): NodeJS.Timeout => setTimeout(() => stop.abort(), ms);
  const whole = stopAfter(WHOLE_MS);
  let failure: unknown;

  async function* watched(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of source) {
        const late = stopAfter(PIECE_MS);
        try {
          yield piece;
        } finally {
          clearTimeout(late);
        }
      }
    } catch (error) {
      failure = error;
      // A reset, which also those see who take the end of the connection for the end of the file.
      req.socket.resetAndDestroy();
      throw error;
    }
  }

  const { signal } = stop;
  try {
    await (isZipped ? pipeline(watched, createGzip(), res, { signal }) : pipeline(watched, res, { signal }));
  } catch (error) {
    // A client that has left, or was too slow, is no failure of ours.
    if (failure !== undefined) throw error;
  } finally {
    clearTimeout(whole);
  }
}
