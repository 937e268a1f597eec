import type { IncomingMessage } from 'node:http';
import type { Validator } from '../schemas/validator.js';
import { readBody, requireType } from './read-body.js';
import { parseJson } from './json.js';

/** The JSON body of a request that must be `application/json`. The validator is only asked for the known names; it checks the value later. */
export async function readJson(req: IncomingMessage, limit: number, validator?: Validator<unknown>): Promise<unknown> {
  requireType(req);
  return parseJson(await readBody(req, limit), validator?.names);
}
