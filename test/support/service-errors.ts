import type { Context } from 'mocha';
import { pino } from 'pino';

/** Lines that are shown of a test that failed. */
const MOST = 20;
let lines: string[] = [];

/** The log of the services of the tests: nothing, until a test fails, which is then shown with the errors that they logged meanwhile. */
export const serviceLog = pino(
  { level: 'error' },
  {
    write: (line: string) => {
      lines = [...lines.slice(1 - MOST), line];
    },
  },
);

/** A hook after each test. */
export function showServiceErrors(this: Context): void {
  const test = this.currentTest;
  if (test?.state === 'failed') {
    if (test.err?.cause !== undefined) console.error(test.fullTitle(), 'is caused by', test.err.cause);
    if (lines.length > 0) console.error(`${test.fullTitle()}: errors of the services\n${lines.join('')}`);
  }
  lines = [];
}
