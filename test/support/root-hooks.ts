import { setTimeout as sleep } from 'node:timers/promises';
import { subscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import type { Context, RootHookObject } from 'mocha';
import { ANSWERS, type Answered } from '../../src/warehouse/client.js';
import { closeBrowser, closePages } from '../browser/support/browser.js';
import { requireTextTimes, watchJsonTimes } from './json-times.js';
import { measureFile } from './file-times.js';
import { watchFile } from './hung-files.js';
import { stopLeftBehind } from './left-behind.js';
import { checkRows } from './query-rows.js';
import { showServiceErrors } from './service-errors.js';
import { emptyEngines, stopEngines } from './shared-engines.js';

/** The random cases of a run: those of `PROPERTY_SEED`, else new ones. A failure prints its seed either way. */
const seed = process.env.PROPERTY_SEED;
// With the assertion that failed in its message, which mocha would leave out.
fc.configureGlobal({ includeErrorInReport: true, ...(seed !== undefined && { seed: Number(seed) }) });

watchJsonTimes();

/** An error that a subscriber throws fails the test that runs. */
subscribe(ANSWERS.name, (message) => {
  const { query, rows } = message as Answered;
  checkRows(query, rows);
});

const DAY_MS = 86_400_000;
/** As long as one in a browser takes on a busy machine. */
const LEFT_OF_DAY_MS = 120_000;

/** In a parallel run these hooks run after every file, and engines and browser serve the files that follow. */
const isParallel = process.env.MOCHA_WORKER_ID !== undefined;

const fileOf = ({ test }: Context): string => test?.parent?.suites[0]?.file ?? 'a file without tests';

/** Stops the engines and the browser that the suite shared, if any test asked for them; what other files will use is emptied. */
export const mochaHooks: RootHookObject = {
  beforeAll(this: Context) {
    if (isParallel) watchFile(fileOf(this));
  },
  /** A test may take today's date more than once: none begins where the day of UTC may end before it. */
  async beforeEach(this: Context) {
    const left = DAY_MS - (Date.now() % DAY_MS);
    if (left > LEFT_OF_DAY_MS) return;
    this.timeout(this.timeout() + 2 * LEFT_OF_DAY_MS);
    await sleep(left + 1_000);
  },
  afterEach: [requireTextTimes, showServiceErrors],
  async afterAll(this: Context) {
    await stopLeftBehind();
    await Promise.all(isParallel ? [closePages(), emptyEngines()] : [closeBrowser(), stopEngines()]);
    if (isParallel) {
      measureFile(fileOf(this));
      watchFile(null);
    }
    requireTextTimes();
  },
};
