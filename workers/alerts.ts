import { compareAlerts, findingsOf } from '../src/domain/alerts.js';
import { alertPayload } from '../src/schemas/alerts.js';
import { readAlertFacts, type AlertFactDeps } from '../src/figures/alert-facts.js';
import type { AlertTurns } from '../src/redis/alert-turns.js';
import type { Alerts } from '../src/repositories/alerts.js';
import type { SourceRegistry } from '../src/repositories/sources.js';
import type { AlertOfShop, AlertStore } from '../src/warehouse/queries/alerts.js';
import type { SendWebhook } from '../src/webhooks/send.js';
import type { Loop } from './loop.js';

export interface AlertLoopDeps extends AlertFactDeps {
  /** Runs the work unless another worker does; `require` throws once another one has taken over. */
  claim: (work: (require: () => Promise<void>) => Promise<boolean>) => Promise<boolean>;
  turns: AlertTurns;
  store: AlertStore;
  alerts: Alerts;
  sources: Pick<SourceRegistry, 'find'>;
  send: SendWebhook;
  onError: (error: unknown) => void;
}

/** Between two looks at a shop. */
const LOOK_MS = 5 * 60_000;
/** Shops of a turn, and messages. */
const MAX_SHOPS = 20;
const MAX_MESSAGES = 50;
/** Messages under way; those of one shop wait for each other, so that a slow receiver holds up no other. */
const SENDING = 8;

/** A turn looks at the shops that were looked at longest ago, raises and ends their alerts, and sends what is to be sent. */
export function createAlertLoop(deps: AlertLoopDeps): Loop {
  const { claim, turns, store, now, onError } = deps;
  return () =>
    claim(async (require) => {
      const shops = await store.shops();
      const looks = await turns.lastLooks(shops);
      const due = shops
        .map((shopId, i) => ({ shopId, at: looks[i] ?? 0 }))
        .filter(({ at }) => now() - at >= LOOK_MS)
        .sort((a, b) => a.at - b.at);
      for (const { shopId } of due.slice(0, MAX_SHOPS)) {
        await require();
        // Noted first: a shop whose look fails stops none of the others.
        await turns.looked(shopId, now());
        await look(deps, shopId).catch(onError);
      }
      const messages = await store.due(now(), MAX_MESSAGES);
      await require();
      await sendAll(deps, messages);
      return due.length > MAX_SHOPS || messages.length === MAX_MESSAGES;
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

async function sendAll(deps: AlertLoopDeps, messages: readonly AlertOfShop[]): Promise<void> {
  const shopIds = [...new Set(messages.map(({ shopId }) => shopId))];
  const ofShops = shopIds.map((id) => messages.filter(({ shopId }) => shopId === id));
  const work = async (): Promise<void> => {
    for (let own = ofShops.shift(); own !== undefined; own = ofShops.shift()) {
      for (const message of own) await deliver(deps, message).catch(deps.onError);
    }
  };
  await Promise.all(Array.from({ length: SENDING }, work));
}

async function deliver({ alerts, sources, send }: AlertLoopDeps, message: AlertOfShop): Promise<void> {
  const { shopId, alert } = message;
  const [webhook, source, rules] = await Promise.all([
    alerts.webhook(shopId),
    sources.find(shopId),
    alerts.rules(shopId),
  ]);
  // The shop may have gone quiet while the message waited.
  const isWanted = source?.closedAt === null && rules.some(({ kind, isOn }) => isOn && kind === alert.kind);
  if (!isWanted) return alerts.withdraw(message);
  const { url, secret } = webhook ?? {};
  if (url === undefined) return alerts.delivered(message, 'There is no webhook any more.');
  if (secret == null) return alerts.delivered(message, 'The signing secret cannot be read: make another one.');
  const payload = JSON.stringify(alertPayload(shopId, alert, source.currency));
  const outcome = await send({ url, secret, id: alert.alertId, payload });
  return alerts.delivered(message, problemIn(outcome));
}

function problemIn(outcome: Awaited<ReturnType<SendWebhook>>): string {
  if ('problem' in outcome) return outcome.problem;
  return outcome.status >= 200 && outcome.status < 300 ? '' : `It answered ${outcome.status}.`;
}
