import { readSqlFiles } from '../sql-files.js';

/** A question that an analyst asks of `bi`, with the SQL that answers it. */
export interface Question {
  title: string;
  description: string;
  sql: string;
}

/** The questions of the folder: a file each, of two comment lines (title, description) and one statement. */
export async function readQuestions(folder: string): Promise<Question[]> {
  return (await readSqlFiles(folder)).map(({ text }) => {
    const [title = '', description = '', ...sql] = text.trim().split('\n');
    return { title: title.replace(/^-- /, ''), description: description.replace(/^-- /, ''), sql: sql.join('\n') };
  });
}
