import type { Request, Response } from 'express';
import { requestError } from '../../errors.js';
import { PROBLEM_TYPE } from '../middleware/problem.js';

/** The forms in which a whole result goes out, besides pages of JSON. */
export const EXPORT_TYPES = { csv: 'text/csv', parquet: 'application/vnd.apache.parquet' } as const;
export type ExportFormat = keyof typeof EXPORT_TYPES;

/** As they stand in `Content-Type`: an `Accept` that names a parameter has to name one of these. */
export const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: `${EXPORT_TYPES.csv}; charset=utf-8; header=present`,
  parquet: EXPORT_TYPES.parquet,
};

/** What a route offers. Of types that a client prefers equally, the first. */
const OFFERED: Readonly<Record<string, ExportFormat | null>> = {
  'application/json; charset=utf-8': null,
  [CONTENT_TYPES.csv]: 'csv',
  [CONTENT_TYPES.parquet]: 'parquet',
  // Failures alone have that type; a client that names nothing else is answered in JSON.
  [PROBLEM_TYPE]: null,
};

/**
 * The form that `Accept` asks for; null: JSON, which is also what a request without the header gets. Throws `not_acceptable`
 * where no type of the route is wanted.
 */
export function formatOf(req: Request, res: Response): ExportFormat | null {
  res.vary('Accept');
  if (req.headers.accept?.trim() === '') return null;
  const wanted = req.accepts(Object.keys(OFFERED));
  if (wanted !== false) return OFFERED[wanted] ?? null;
  const types = ['application/json', ...Object.values(EXPORT_TYPES)].join(', ');
  throw requestError('not_acceptable', `This answer comes as ${types}; name one of them in Accept.`);
}
