import type { Request } from 'express';
import { readBody, requireType } from './body.js';
import { parseJson } from './json.js';

/** The JSON body of a request that must be `application/json`. */
export async function readJson(req: Request, limit: number): Promise<unknown> {
  requireType(req);
  return parseJson(await readBody(req, limit));
}
