import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import type { Difference } from '../../domain/audit/ledger.js';
import { createAuditDay, lasting } from '../../repositories/audit.js';
import { createAuditReader, type AuditedDay } from '../../warehouse/queries/audit.js';
import { createProgress } from '../import/progress.js';
import { chosenDays, type DayChoice } from './chosen-days.js';

export interface AuditOptions extends DayChoice {
  stderr: Writable & { isTTY?: boolean };
  print: (line: string) => void;
  signal: AbortSignal;
  /** Time between two looks at a day that differs or waits for its rebuild. */
  againAfterMs?: number;
}

export interface AuditSummary {
  days: number;
  /** Figures that differ. */
  differences: number;
  /** Days that still waited for their rebuild. */
  behind: number;
}

const AGAIN_AFTER_MS = 2_000;
const TRIES = 30;

/** Audits every stored day, newest first, beside a running service; prints each difference as a line. */
export async function runAudit(stores: Stores, options: AuditOptions): Promise<AuditSummary> {
  const { stderr, print, signal, againAfterMs = AGAIN_AFTER_MS } = options;
  const audit = createAuditDay({ ...stores, reader: createAuditReader(stores.warehouse) });
  const settled = async (of: AuditedDay): Promise<readonly Difference[] | 'behind'> => {
    let found = await audit(of);
    for (let tries = 1; found.length > 0 && tries < TRIES; tries++) {
      await sleep(againAfterMs, undefined, { signal });
      const again = await audit(of);
      if (found !== 'behind' && again !== 'behind') return lasting(found, again);
      found = again;
    }
    return found;
  };

  const days = await chosenDays(stores.warehouse, options);
  const summary: AuditSummary = { days: days.length, differences: 0, behind: 0 };
  const progress = createProgress({ stream: stderr, label: 'days', total: days.length });
  try {
    for (const [i, of] of days.entries()) {
      signal.throwIfAborted();
      const found = await settled(of);
      if (found === 'behind') summary.behind++;
      else {
        summary.differences += found.length;
        for (const { figure, stored, computed } of found) {
          print(`${of.shopId} ${of.day} ${figure}: ${stored} is stored, its rows come to ${computed}`);
        }
      }
      progress.update(i + 1);
    }
  } finally {
    progress.stop();
  }
  return summary;
}
