import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import type { Difference } from '../../domain/audit/ledger.js';
import { createAuditDay, lasting, type Unaudited } from '../../figures/audit.js';
import { createAuditReader, type AuditedDay } from '../../warehouse/queries/audit.js';
import { createProgress } from '../../operations/progress.js';
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
  /** Days that have too much to be audited. */
  tooLarge: number;
}

/** What the command prints at its end. */
export function auditText({ days, differences, behind, tooLarge }: AuditSummary): string {
  const text = [`${days} days, ${differences} differences`];
  if (behind > 0) text.push(`${behind} days still wait for their rebuild`);
  if (tooLarge > 0) text.push(`${tooLarge} days have more spend, unit costs or products than the audit takes`);
  return text.join(', ');
}

const AGAIN_AFTER_MS = 2_000;
const TRIES = 30;

/** Audits every stored day, newest first, while the service runs; prints each difference as a line. */
export async function runAudit(stores: Stores, options: AuditOptions): Promise<AuditSummary> {
  const { stderr, print, signal, againAfterMs = AGAIN_AFTER_MS } = options;
  const audit = createAuditDay({ ...stores, reader: createAuditReader(stores.warehouse) });
  const settled = async (of: AuditedDay): Promise<readonly Difference[] | Unaudited> => {
    let found = await audit(of);
    for (let tries = 1; found === 'behind' || (found !== 'too large' && found.length > 0); tries++) {
      if (tries === TRIES) break;
      await sleep(againAfterMs, undefined, { signal });
      const again = await audit(of);
      if (typeof found !== 'string' && typeof again !== 'string') return lasting(found, again);
      found = again;
    }
    return found;
  };

  const days = await chosenDays(stores.warehouse, options);
  const summary: AuditSummary = { days: days.length, differences: 0, behind: 0, tooLarge: 0 };
  const progress = createProgress({ stream: stderr, label: 'days', total: days.length });
  try {
    for (const [i, of] of days.entries()) {
      signal.throwIfAborted();
      const found = await settled(of);
      if (found === 'behind') summary.behind++;
      else if (found === 'too large') summary.tooLarge++;
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
