import { connectionFault } from '../client/connection-fault.js';
import { RequestError } from '../errors.js';
import { isAnswered } from '../warehouse/failures.js';

/** What the system's codes mean to a person. */
const OF_FILES: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
};
const OF_GZIP = new Set(['Z_BUF_ERROR', 'Z_DATA_ERROR']);
const LONGEST = 500;

interface SystemError extends Error {
  code?: unknown;
  path?: unknown;
  address?: unknown;
  port?: unknown;
  hostname?: unknown;
}

/** An error for the person at the terminal: what is wrong, in words, without the codes and stacks of drivers. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What a store said, or why it said nothing: clients of the API don't see that, who runs the service does.
  if (error instanceof RequestError && error.cause instanceof Error) return errorText(error.cause);
  const { code, path, address, port, hostname } = error as SystemError;
  if (typeof code === 'string') {
    const file = OF_FILES[code];
    if (file !== undefined) return typeof path === 'string' ? `${path}: ${file}` : file;
    const where = address ?? hostname;
    const connection = connectionFault(error);
    if (connection !== undefined && where !== undefined)
      return `no answer from ${[where, port].filter(Boolean).join(':')}: ${connection}; is the service running?`;
    if (OF_GZIP.has(code)) return `the gzip data is damaged or cut short (${error.message})`;
  }
  if (isAnswered(error)) return `the warehouse refused: ${firstLine(error.message)}`;
  if (error.name === 'ReplyError') return `Redis refused: ${firstLine(error.message)}`;
  if (error.name === 'MaxRetriesPerRequestError') return 'no answer from Redis; is the service running?';
  if (error.name === 'AbortError') return 'interrupted';
  if (error instanceof AggregateError && error.message === '') return error.errors.map(errorText).join('; ');
  return firstLine(error.message);
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, LONGEST);
