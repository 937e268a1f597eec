import { expectSuccess } from '../support/script.js';

const HISTORIES = 1_000;
/** On a machine that is slow they are fewer. */
const MINUTES = 2;

describe('the simulation', () => {
  it(`finds no difference in ${HISTORIES} histories, or in those of ${MINUTES} minutes`, () => {
    const seed = process.env.FAULTS_SEED;
    const bounds = ['--histories', String(HISTORIES), '--minutes', String(MINUTES), '--processes', '1'];
    return expectSuccess('test/simulation/main.ts', [...bounds, ...(seed === undefined ? [] : ['--seed', seed])], {
      maxMs: 2 * MINUTES * 60_000,
    });
  });
});
