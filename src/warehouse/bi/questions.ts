import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A question that an analyst asks of `bi`, with the SQL that answers it. */
export interface Question {
  title: string;
  description: string;
  sql: string;
}

/** The questions of the folder: a file each, of two comment lines (title, description) and one statement. */
export async function readQuestions(folder: string): Promise<Question[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const [title = '', description = '', ...sql] = (await readFile(join(folder, file), 'utf8')).trim().split('\n');
      return { title: title.replace(/^-- /, ''), description: description.replace(/^-- /, ''), sql: sql.join('\n') };
    }),
  );
}
