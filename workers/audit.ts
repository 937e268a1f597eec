import type { Difference } from '../src/domain/audit/ledger.js';
import { FIRST_DAY } from '../src/domain/time.js';
import type { AuditState } from '../src/redis/audit-state.js';
import { lasting, type AuditDay } from '../src/figures/audit.js';
import type { AuditedDay, AuditReader } from '../src/warehouse/queries/audit.js';
import { resting, type Loop } from './loop.js';

export interface AuditLoopDeps {
  audit: AuditDay;
  state: AuditState;
  reader: Pick<AuditReader, 'nextShop' | 'nextDay'>;
  /** Computes a day afresh. */
  rebuild: (of: AuditedDay) => Promise<void>;
  /** Called for a day that is wrong, once a round. */
  onWrong: (of: AuditedDay, differences: readonly Difference[]) => void;
  now: () => number;
  /** A difference is reported when it is still there after this time: by then no write is in the middle of it. */
  confirmMs?: number;
  /** Of the time of one core; what the warehouse does for it is less, since the auditor waits for that. */
  share: number;
}

const CONFIRM_MS = 60_000;
/** Days that wait for their second look; what does not fit is found again in the next round. */
const MAX_SUSPECTS = 50;

interface Suspect {
  of: AuditedDay;
  found: readonly Difference[];
  at: number;
}

/**
 * Audits all days of all shops, over and over: a day of a shop a turn, and the shops take turns, so that a shop with a short
 * history is not behind one with a long one. It rests after each turn so as to take two hundredths of a core.
 */
export function createAuditLoop(deps: AuditLoopDeps): Loop {
  const { audit, state, reader, rebuild, onWrong, now, confirmMs = CONFIRM_MS, share } = deps;
  const suspects: Suspect[] = [];

  const confirm = async ({ of, found }: Suspect): Promise<void> => {
    const again = await audit(of);
    if (typeof again === 'string') return;
    const differences = lasting(found, again);
    if (differences.length === 0) return;
    onWrong(of, differences);
    await state.report(of.shopId, { date: of.day, found_at: new Date(now()).toISOString(), differences });
    await rebuild(of);
  };

  const inspect = async (of: AuditedDay): Promise<void> => {
    const found = await audit(of);
    if (typeof found === 'string') return;
    if (found.length === 0) await state.clear(of.shopId, of.day);
    else if (suspects.length < MAX_SUSPECTS) suspects.push({ of, found, at: performance.now() });
  };

  /** The next day of the next shop; null when there is none at all. */
  const next = async (): Promise<AuditedDay | null> => {
    const shopId = (await reader.nextShop(await state.lastShop())) ?? (await reader.nextShop(''));
    if (shopId === null) return null;
    const last = await state.lastDay(shopId);
    const day = await reader.nextDay(shopId, last ?? FIRST_DAY);
    if (day !== null) {
      await state.moveTo(shopId, day);
      return { shopId, day };
    }
    if (last !== null) await state.endRound(shopId, now());
    const first = await reader.nextDay(shopId, FIRST_DAY);
    await state.moveTo(shopId, first);
    return first === null ? null : { shopId, day: first };
  };

  const turn = async (): Promise<boolean> => {
    const [oldest] = suspects;
    if (oldest !== undefined && performance.now() - oldest.at >= confirmMs) {
      suspects.shift();
      await confirm(oldest);
    } else {
      const of = await next();
      if (of !== null) await inspect(of);
    }
    return false;
  };
  return resting(turn, () => share);
}
