import { REMOVED } from '../domain/personal/redact.js';
import { holdsContact } from '../domain/personal/values.js';
import { pino, type DestinationStream, type Logger } from 'pino';

export interface LoggerOptions {
  /** Which process speaks. */
  service: string;
  level: string;
  /** Standard output when absent. */
  stream?: DestinationStream;
}

/** What is reported of an error: no data of its own besides its code and what the warehouse calls it. */
interface ToldError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ToldError;
}

/** Lines that wait for a reader who is stuck; further ones are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MESSAGE_LENGTH = 500;
const MAX_CAUSES = 4;
const MAX_FRAMES = 12;

/**
 * What must not stand in a log, wherever in a text it comes from: keys, passwords in addresses, tokens in headers, and what
 * looks like a person's address. Other contacts are found by the cleaner of what is stored.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/\b([ps]k|pt)_svc_[\w-]+/g, '$1_svc_…'],
  [/(\/\/[^\s/:@]{0,200}):[^\s/@]{1,500}@/g, '$1:… at '],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 …'],
  [/[\w.%+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}/g, '…'],
];

/** The log of a process: JSON lines. */
export function createLogger({ service, level, stream }: LoggerOptions): Logger {
  const standardOutput = () => pino.destination({ dest: 1, maxLength: MAX_WAITING_BYTES });
  return pino({ level, base: { service }, serializers: { err: tellError } }, stream ?? standardOutput());
}

export function withoutSecrets(text: string): string {
  const clean = SECRETS.reduce((rest, [pattern, mark]) => rest.replace(pattern, mark), text);
  if (!holdsContact(clean)) return clean;
  const bare = clean.replace(/\S*\d\S*/g, '…');
  return holdsContact(bare) ? REMOVED : bare;
}

/** An error as the log may hold it: its texts may quote what clients sent. */
export function tellError(error: unknown, depth = 0): ToldError {
  if (!(error instanceof Error)) return { type: typeof error, message: shorten(String(error)) };
  const { code, cause, stack } = error as Error & { code?: unknown };
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    type: error.name,
    message: shorten(error.message),
    ...(typeof code === 'string' && { code }),
    ...(frames.length > 0 && { stack: frames.slice(0, MAX_FRAMES).join('\n') }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: tellError(cause, depth + 1) }),
  };
}

function shorten(text: string): string {
  // A secret that the cut goes through would not be recognised.
  return withoutSecrets(text.slice(0, 2 * MESSAGE_LENGTH)).slice(0, MESSAGE_LENGTH);
}
