import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import { compare } from '../../domain/compare.js';
import type { Difference } from '../../domain/audit/ledger.js';
import { createAuditDay, createCheckDays, lasting, type Unaudited } from '../../figures/audit.js';
import { createCompareDays } from '../../warehouse/queries/audit-checksums.js';
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
  if (tooLarge > 0)
    text.push(`${tooLarge} days differ and have more spend, unit costs or products than the audit takes`);
  return text.join(', ');
}

const AGAIN_AFTER_MS = 2_000;
const TRIES = 30;

/** Audits every stored day of each shop while the service runs; prints each difference as a line. */
export async function runAudit(stores: Stores, options: AuditOptions): Promise<AuditSummary> {
  const { stderr, print, signal, againAfterMs = AGAIN_AFTER_MS } = options;
  const check = createCheckDays({ ...stores, compareDays: createCompareDays(stores.warehouse) });
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
  const look = async (of: AuditedDay): Promise<void> => {
    const found = await settled(of);
    if (found === 'behind') summary.behind++;
    else if (found === 'too large') summary.tooLarge++;
    else {
      summary.differences += found.length;
      for (const { figure, stored, computed } of found) {
        print(`${of.shopId} ${of.day} ${figure}: ${stored} is stored, its rows come to ${computed}`);
      }
    }
  };
  let done = 0;
  try {
    for (const [shopId, dates] of byShop(days)) {
      const [last = ''] = dates.slice(-1);
      for (let from = dates[0]; from !== undefined;) {
        signal.throwIfAborted();
        const { to, behind, suspect } = await check({ shopId, from, to: last });
        for (const day of [...behind, ...suspect].sort()) await look({ shopId, day });
        const next = dates.find((day) => day > to);
        progress.update(done + (next === undefined ? dates.length : dates.indexOf(next)));
        from = next;
      }
      done += dates.length;
    }
  } finally {
    progress.stop();
  }
  return summary;
}

/** The days of each shop, the earliest first. */
function byShop(days: readonly AuditedDay[]): Map<string, string[]> {
  const shops = new Map<string, string[]>();
  for (const { shopId, day } of [...days].sort((a, b) => compare(a.day, b.day))) {
    const own = shops.get(shopId);
    if (own === undefined) shops.set(shopId, [day]);
    else own.push(day);
  }
  return shops;
}
