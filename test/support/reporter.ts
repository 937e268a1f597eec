import { availableParallelism } from 'node:os';
import Mocha from 'mocha';
import { forgetTimes, writeTimes } from './file-times.js';

/**
 * Mocha's own, which ends with how much of the machine was used, and how many tests passed and failed. A failure is shown when it
 * happens too: the run may take an hour.
 */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    forgetTimes();
    runner.on('fail', (test) => Mocha.reporters.Base.list([test]));
  }

  override epilogue(): void {
    super.epilogue();
    const seconds = (this.stats.duration ?? 0) / 1000;
    const used = Math.round((100 * writeTimes()) / (seconds * availableParallelism()));
    console.log(`  ${Math.round(seconds)} s, in which the tests used ${used} % of ${availableParallelism()} cores\n`);
    console.log(`${this.stats.passes} passed, ${this.stats.failures} failed`);
  }
}
