import type { GroupJob } from '../src/queue/jobs.js';
import { rowBytes } from '../src/queue/read-job.js';

type Flush<Push> = (jobs: readonly GroupJob<Push>[]) => Promise<void>;

/** Whether pushes need the cores more than history does. */
export interface Backlog {
  /** Called while a job has to wait. */
  onWait: () => void;
  /** The same flush of orders, watched. */
  watched<Push>(flush: Flush<Push>): Flush<Push>;
  /** Whether jobs wait, or so many orders are written as an import sends. */
  isBehind: () => boolean;
}

/** So long after a job had to wait pushes count as waiting: the jobs of an import come in groups, with gaps. */
const BEHIND_MS = 500;
/** A flush with so many bytes of rows is one of an import, or of many shops at once. */
const IMPORT_BYTES = 128 * 1024;

export function createBacklog(): Backlog {
  let waitedAt = -Infinity;
  let imports = 0;
  return {
    onWait: () => void (waitedAt = performance.now()),
    watched: (flush) => async (jobs) => {
      if (jobs.reduce((sum, job) => sum + rowBytes(job), 0) < IMPORT_BYTES) return flush(jobs);
      imports++;
      return flush(jobs).finally(() => imports--);
    },
    isBehind: () => imports > 0 || performance.now() - waitedAt < BEHIND_MS,
  };
}
