import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const command = (...words: string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

/**
 * Writes an append-only file that Redis reads for some seconds: a few hundred kilobytes, whose commands each work on a megabyte.
 * It ends by setting the key `last` to `read`.
 */
export async function writeSlowFile(folder: string, commands: number): Promise<void> {
  const text = [
    command('SELECT', '0'),
    command('SETBIT', 'bits', '8000000', '1'),
    command('BITOP', 'NOT', 'inverse', 'bits').repeat(commands),
    command('DEL', 'bits', 'inverse'),
    command('SET', 'last', 'read'),
  ].join('');
  await writeFile(join(folder, 'appendonly.aof'), text);
}
