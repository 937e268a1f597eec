import { compareAlerts, findingsOf } from '../src/domain/alerts.js';
import { readAlertFacts, type AlertFactDeps } from '../src/figures/alert-facts.js';
import type { AlertTurns } from '../src/redis/alert-turns.js';
import type { Alerts } from '../src/repositories/alerts.js';
import type { SourceRegistry } from '../src/repositories/sources.js';
import type { AlertStore } from '../src/warehouse/queries/alerts.js';
import type { Loop } from './loop.js';

export interface AlertLoopDeps extends AlertFactDeps {
  /** Runs the work unless another worker does; `require` throws once another one has taken over. */
  claim: (work: (require: () => Promise<void>) => Promise<boolean>) => Promise<boolean>;
  /** Of looking. */
  turns: AlertTurns;
  store: Pick<AlertStore, 'shops' | 'recent'>;
  alerts: Pick<Alerts, 'rules' | 'raise' | 'end'>;
  sources: Pick<SourceRegistry, 'find'>;
  onError: (error: unknown, inARow: 1) => void;
}

/** Between two looks at a shop. */
const LOOK_MS = 5 * 60_000;
/** Shops of a turn. */
const MAX_SHOPS = 20;

/** A turn looks at the shops that were looked at longest ago, and raises and ends their alerts. */
export function createAlertLoop(deps: AlertLoopDeps): Loop {
  const { claim, turns, store, now, onError } = deps;
  return () =>
    claim(async (require) => {
      const shops = await store.shops();
      const looks = await turns.last(shops);
      const due = shops
        .map((shopId, i) => ({ shopId, at: looks[i] ?? 0 }))
        // A look in the future is of a clock that was put back.
        .filter(({ at }) => at > now() || now() - at >= LOOK_MS)
        .sort((a, b) => a.at - b.at);
      for (const { shopId } of due.slice(0, MAX_SHOPS)) {
        await require();
        // Noted first: a shop whose look fails stops none of the others.
        await turns.note(shopId, now());
        await look(deps, shopId).catch((error: unknown) => onError(error, 1));
      }
      return due.length > MAX_SHOPS;
    });
}

async function look(deps: AlertLoopDeps, shopId: string): Promise<void> {
  const { alerts, sources, store, now } = deps;
  const [rules, recent, source] = await Promise.all([
    alerts.rules(shopId),
    store.recent(shopId, now()),
    sources.find(shopId),
  ]);
  const isOpen = source !== null && source.closedAt === null;
  const facts = isOpen ? await readAlertFacts(deps, shopId, source, rules) : {};
  const { raised, ended } = compareAlerts(recent, findingsOf(rules, facts, recent, now()));
  await alerts.end(shopId, ended);
  await alerts.raise(shopId, raised);
}
