import type { Alert, AlertRule } from '../src/domain/alerts.js';
import type { SourceRecord } from '../src/domain/source.js';
import { alertPayload, summaryPayload, type AlertMessage, type MorningSummary } from '../src/schemas/alerts.js';
import { bodyFor } from '../src/schemas/slack.js';
import type { AlertTurns } from '../src/redis/alert-turns.js';
import type { Alerts } from '../src/repositories/alerts.js';
import type { SourceRegistry } from '../src/repositories/sources.js';
import type { AlertOfShop, AlertStore } from '../src/warehouse/queries/alerts.js';
import type { Outcome, SendWebhook } from '../src/webhooks/send.js';
import type { Loop } from './loop.js';

export interface AlertMessageDeps {
  /** Runs the work unless another worker does; `require` throws once another one has taken over. */
  claim: (work: (require: () => Promise<void>) => Promise<boolean>) => Promise<boolean>;
  /** Of sending. */
  turns: AlertTurns;
  store: Pick<AlertStore, 'dueShops' | 'due'>;
  alerts: Pick<Alerts, 'webhook' | 'rules' | 'delivered' | 'withdraw'>;
  sources: Pick<SourceRegistry, 'find'>;
  /** Of a `morning_summary`. */
  readSummary: (shopId: string, source: SourceRecord, alert: Alert, rule: AlertRule) => Promise<MorningSummary>;
  send: SendWebhook;
  now: () => number;
  onError: (error: unknown, inARow: 1) => void;
}

/** Shops of a turn of the loop, and those that are sent to at the same time: a receiver that is waited for costs a socket. */
const MAX_SHOPS = 200;
const AT_ONCE = 32;
/** Messages of the turn of a shop, which sends no further one after this time. */
const MAX_MESSAGES = 20;
const TURN_MS = 5_000;

/**
 * Sends the messages that are due, shop by shop: the one whose turn was longest ago comes first, whatever waits for the others. The
 * messages of a shop wait for each other, and one that gets no answer ends its turn: its receiver takes from the others one wait.
 */
export function createAlertMessageLoop(deps: AlertMessageDeps): Loop {
  const { claim, turns, store, now, onError } = deps;
  return () =>
    claim(async (require) => {
      const waiting = await store.dueShops(now());
      const lastTurns = await turns.last(waiting);
      const shops = waiting
        .map((shopId, i) => ({ shopId, at: lastTurns[i] ?? 0 }))
        .sort((a, b) => a.at - b.at)
        .slice(0, MAX_SHOPS)
        .map(({ shopId }) => shopId);
      const messages = await store.due(shops, now(), MAX_MESSAGES);
      const left = [...shops];
      let isMore = waiting.length > shops.length;
      const work = async (): Promise<void> => {
        for (let shopId = left.shift(); shopId !== undefined; shopId = left.shift()) {
          await require();
          // Noted first: a shop whose turn fails comes after all others.
          await turns.note(shopId, now());
          const own = messages.filter((message) => message.shopId === shopId);
          isMore =
            (await sendInTurn(deps, own).catch((error: unknown) => onError(error, 1))) === MAX_MESSAGES || isMore;
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      return isMore;
    });
}

/** How many messages the turn took. */
async function sendInTurn(deps: AlertMessageDeps, messages: readonly AlertOfShop[]): Promise<number> {
  const endsAt = performance.now() + TURN_MS;
  for (const [i, message] of messages.entries()) {
    if (!(await deliver(deps, message)) || performance.now() >= endsAt) return i;
  }
  return messages.length;
}

/** Whether the turn of the shop may go on: its receiver answers. */
async function deliver(deps: AlertMessageDeps, message: AlertOfShop): Promise<boolean> {
  const { alerts, sources, send } = deps;
  const { shopId, alert } = message;
  const [webhook, source, rules] = await Promise.all([
    alerts.webhook(shopId),
    sources.find(shopId),
    alerts.rules(shopId),
  ]);
  const noted = (problem: string): Promise<void> => alerts.delivered(message, problem);
  // The shop may have gone quiet while the message waited.
  const rule = source?.closedAt === null ? rules.find(({ kind, isOn }) => isOn && kind === alert.kind) : undefined;
  if (!source || rule === undefined) await alerts.withdraw(message);
  else if (webhook === null) await noted('There is no webhook any more.');
  else if (webhook.secret === null) await noted('The signing secret cannot be read: make another one.');
  else {
    const payload = bodyFor(webhook.url, await messageOf(deps, message, source, rule));
    const outcome = await send({ url: webhook.url, secret: webhook.secret, id: alert.alertId, payload });
    await noted(problemIn(outcome));
    return 'status' in outcome;
  }
  return true;
}

async function messageOf(
  { readSummary }: AlertMessageDeps,
  { shopId, alert }: AlertOfShop,
  source: SourceRecord,
  rule: AlertRule,
): Promise<AlertMessage> {
  return alert.kind === 'morning_summary'
    ? summaryPayload(shopId, alert, await readSummary(shopId, source, alert, rule))
    : alertPayload(shopId, alert, source.currency);
}

function problemIn(outcome: Outcome): string {
  if ('problem' in outcome) return outcome.problem;
  return outcome.status >= 200 && outcome.status < 300 ? '' : `It answered ${outcome.status}.`;
}
