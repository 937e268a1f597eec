import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DeadLetter, DeadLetters } from '../../queue/dead-letters.js';
import type { AnyNewJob, QueueName } from '../../queue/jobs.js';
import type { Producer } from '../../queue/producer.js';
import type { Receipts } from '../../redis/receipts.js';
import { syncFolder } from '../../files.js';
import { parseJson } from '../parse-json.js';
import { reopenPushes } from './reopen-pushes.js';

/** A line of an exported file. */
interface Line extends DeadLetter {
  queue: QueueName;
  data: { schema: number; rows: string };
}

/** A line that is none of an exported file, by its number. */
class LetterFileError extends Error {
  override readonly name = 'LetterFileError';
}

export interface ExportOptions {
  queue: QueueName;
  letters: DeadLetters;
  chosen: AsyncIterable<DeadLetter>;
  file: string;
  /** Deletes each one once the file safely holds it. */
  drop: boolean;
}

/** Where the jobs of a file go. */
interface LetterTarget {
  producer: Producer;
  receipts: Receipts;
}

/** Dead letters that are written and deleted together. */
const STEP = 100;

/** Writes dead letters with their data, a JSON object a line, to a file that is not there yet. Returns how many. */
export async function exportLetters({ queue, letters, chosen, file, drop }: ExportOptions): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  let count = 0;
  const written: string[] = [];
  const secure = async (): Promise<void> => {
    await handle.sync();
    for (const id of written.splice(0)) if (drop) await letters.drop(id);
  };
  try {
    await syncFolder(dirname(file));
    for await (const letter of chosen) {
      const data = await letters.data(letter.id);
      if (data === null) continue;
      // The data are JSON already.
      const head = JSON.stringify({ queue, ...letter }).slice(0, -1);
      await handle.appendFile(`${head},"data":${data}}\n`);
      written.push(letter.id);
      count++;
      if (written.length === STEP) await secure();
    }
    await secure();
  } finally {
    await handle.close();
  }
  return count;
}

/** Puts the jobs of an exported file into their queue; one that is there already stays as it is. Returns how many lines it had. */
export async function importLetters(
  queue: QueueName,
  { producer, receipts }: LetterTarget,
  file: string,
): Promise<number> {
  const handle = await open(file);
  let count = 0;
  try {
    for await (const text of handle.readLines()) {
      count++;
      const line = parseLine(text);
      if (line?.queue !== queue)
        throw new LetterFileError(`${file}, line ${count}: this is no job of the queue ${queue}`);
      const { rows, ...rest } = line.data;
      await reopenPushes(receipts, queue, line.id, line.data);
      await producer.add(queue, line.id, { ...rest, rows: Buffer.from(rows, 'base64') } satisfies AnyNewJob);
    }
  } finally {
    await handle.close();
  }
  return count;
}

function parseLine(text: string): Line | null {
  const line = Object(parseJson(text)) as Line;
  const { schema, rows } = Object(line.data) as Line['data'];
  return typeof line.id === 'string' && typeof schema === 'number' && typeof rows === 'string' ? line : null;
}
