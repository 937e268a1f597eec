import type { RootHookObject } from 'mocha';
import { stopEngines } from './shared-engines.js';

/** Stops the engines that the suite shared, if any test asked for them. */
export const mochaHooks: RootHookObject = {
  async afterAll() {
    await stopEngines();
  },
};
