import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { requestError, RequestError } from '../errors.js';
import type { CountBytes } from './memory-limit.js';

const unlimited: CountBytes = () => undefined;

/** A limit as texts tell it. */
export function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`;
}

function tooLarge(limit: number): RequestError {
  const message = `The body must hold at most ${sizeText(limit)} (inflated, where it is compressed).`;
  return requestError('body_too_large', message);
}

/**
 * The whole body of a request, inflated. Throws `body_too_large` as soon as the limit is passed, before or after inflating,
 * `unsupported_media_type` for another encoding than gzip, and what `count` throws.
 */
export async function readBody(req: IncomingMessage, limit: number, count: CountBytes = unlimited): Promise<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw requestError('unsupported_media_type', 'Content-Encoding must be gzip or absent.');
  }
  if (Number(req.headers['content-length'] ?? 0) > limit) throw discard(req, tooLarge(limit));
  const bytes = await collect(req, limit, count);
  if (encoding === 'identity') return bytes;
  try {
    return await inflate(bytes, limit, count);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw requestError('invalid_request', 'The body is not valid gzip, as Content-Encoding says.');
  }
}

const CHUNK_BYTES = 64 * 1024;

/** Counts every chunk before the next one is made: a small body may hold a thousand times its size. */
async function inflate(bytes: Buffer, limit: number, count: CountBytes): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  gunzip.end(bytes);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    count(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function collect(req: IncomingMessage, limit: number, count: CountBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      try {
        if (length > limit) throw tooLarge(limit);
        count(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        chunks = [];
        req.removeAllListeners('data');
        reject(discard(req, error as RequestError));
      }
    });
    req.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
      chunks = []; // the listener stays until the answer is sent
    });
    // A connection that closes meanwhile is an error too, and so is a body that takes too long.
    req.on('error', (error) => {
      if (req.complete || error instanceof RequestError) reject(error);
      else reject(requestError('invalid_request', 'The request ended before its body did.'));
    });
  });
}

/** Reads and drops the rest of a refused body, so that the client gets the answer instead of a reset. */
function discard(req: IncomingMessage, error: RequestError): RequestError {
  req.resume();
  return error;
}

const CHARSET = /;\s*charset\s*=\s*"?([^;"\s]*)/i;

/** Throws `unsupported_media_type` unless the request says that it is JSON (or one of the other types given), in UTF-8. */
export function requireType(req: IncomingMessage, types: readonly string[] = ['application/json']): void {
  const given = req.headers['content-type'] ?? '';
  const end = given.indexOf(';');
  const type = (end < 0 ? given : given.slice(0, end)).trim().toLowerCase();
  if (!types.includes(type)) {
    throw requestError('unsupported_media_type', `Content-Type must be ${types.join(' or ')}.`);
  }
  const charset = end < 0 ? undefined : CHARSET.exec(given)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw requestError('unsupported_media_type', 'The charset of Content-Type must be utf-8 or absent.');
  }
}
