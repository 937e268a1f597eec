import type { Request, RequestHandler } from 'express';
import { SHORT_BODY_BYTES, type Yielding } from '../../body/yielding.js';

/** Keeps long work back while a short request waits for its answer. */
export function prioritizeShort(yielding: Yielding): RequestHandler {
  return (req, res, next) => {
    if (isShort(req)) res.once('close', yielding.prioritize());
    next();
  };
}

function isShort({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return true;
  return Number(headers['content-length'] ?? Infinity) <= SHORT_BODY_BYTES;
}
