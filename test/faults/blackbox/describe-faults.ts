import { expectSuccess } from '../../support/script.js';

/** Far beyond what a fault and the look at every figure after it take, for a machine that is slow. */
const MAX_MS_A_FAULT = 240_000;

/**
 * Plays so many faults as one test: most of its time a service waits or comes back, in which the other tests have the
 * machine. What `npm run test:blackbox` would print is printed at its end.
 */
export const describeFaults = (title: string, { faults, shards = 1 }: { faults: number; shards?: number }): void => {
  describe(`${faults} random faults, one after the other, of a service with ${title}`, () => {
    it('leave every figure, order, event and count right', () =>
      expectSuccess('test/faults/blackbox/main.ts', ['--faults', String(faults), '--shards', String(shards)], {
        maxMs: faults * MAX_MS_A_FAULT,
      })).timeout((faults + 1) * MAX_MS_A_FAULT);
  });
};
