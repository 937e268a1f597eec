import fc from 'fast-check';
import type { RootHookObject } from 'mocha';
import { stopEngines } from './shared-engines.js';

/** The random cases of a run: those of `PROPERTY_SEED`, else new ones. A failure prints its seed either way. */
const seed = process.env.PROPERTY_SEED;
// With the assertion that failed in its message, which mocha would leave out.
fc.configureGlobal({ includeErrorInReport: true, ...(seed !== undefined && { seed: Number(seed) }) });

/** In a parallel run these hooks run after every file, and the engines serve the files that follow. */
const isParallel = process.env.MOCHA_WORKER_ID !== undefined;

/** Stops the engines that the suite shared, if any test asked for them. */
export const mochaHooks: RootHookObject = {
  async afterAll() {
    if (!isParallel) await stopEngines();
  },
};
