import type { Difference } from '../src/domain/audit/ledger.js';
import { FIRST_DAY, formatDay, parseDay } from '../src/domain/time.js';
import type { AuditState } from '../src/redis/audit-state.js';
import { lasting, type AuditDay, type CheckDays } from '../src/figures/audit.js';
import type { AuditedDay, AuditReader } from '../src/warehouse/queries/audit.js';
import { resting, type Loop } from './loop.js';

export interface AuditLoopDeps {
  check: CheckDays;
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
  /** Of the time of one core, with what the warehouse does for it: the auditor waits for that, one thread after the other. */
  share: number;
}

const CONFIRM_MS = 60_000;
/** Days that wait for a look at each order, or for the second one; what does not fit is found again in the next round. */
const MAX_SUSPECTS = 50;
/** Days that are checked at once, if they have few rows. */
const DAYS_AT_ONCE = 366;

interface Suspect {
  of: AuditedDay;
  found: readonly Difference[];
  at: number;
}

/**
 * Audits all days of all shops, over and over: some days of a shop at a time, the shops in rotation, so that a shop with a short
 * history is not behind one with a long one. Days that differ are looked at order by order. It rests after each turn so as to take
 * two hundredths of a core.
 */
export function createAuditLoop(deps: AuditLoopDeps): Loop {
  const { check, audit, state, reader, rebuild, onWrong, now, confirmMs = CONFIRM_MS, share } = deps;
  const differing: AuditedDay[] = [];
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
    if (found.length === 0) await state.clear(of.shopId, [of.day]);
    else if (suspects.length < MAX_SUSPECTS) suspects.push({ of, found, at: performance.now() });
  };

  const checkFrom = async ({ shopId, day }: AuditedDay): Promise<void> => {
    const { to, right, suspect } = await check({
      shopId,
      from: day,
      to: formatDay((parseDay(day) ?? 0) + DAYS_AT_ONCE - 1),
    });
    await state.moveTo(shopId, to);
    if (right.length > 0) await state.clear(shopId, right);
    differing.push(...suspect.slice(0, MAX_SUSPECTS - differing.length).map((each) => ({ shopId, day: each })));
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
      return false;
    }
    const of = differing.shift();
    if (of !== undefined) await inspect(of);
    else {
      const first = await next();
      if (first !== null) await checkFrom(first);
    }
    return false;
  };
  return resting(turn, () => share);
}
