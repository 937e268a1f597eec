import { randomBytes, randomUUID } from 'node:crypto';
import {
  ALERT_KINDS,
  isMessage,
  nextAttempt,
  quietRule,
  type Alert,
  type AlertKind,
  type AlertRule,
  type Finding,
} from '../domain/alerts.js';
import type { Sealing } from '../domain/sealing.js';
import { requestError } from '../errors.js';
import type { WithLock } from '../redis/locks.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { AlertOfShop, AlertStore } from '../warehouse/queries/alerts.js';

export interface AlertsDeps {
  store: AlertStore;
  /** Undefined: the service has no key to seal with. */
  sealing: Sealing | undefined;
  takeStamps: TakeStamps;
  withLock: WithLock;
  now: () => number;
}

/** Null: its secret was sealed with another key. */
export interface AlertWebhook {
  url: string;
  secret: string | null;
}

export type RuleChange = Pick<AlertRule, 'kind' | 'isOn' | 'threshold'>;

/** Of what shops want alerts, where these are sent, and which were raised. */
export interface Alerts {
  /** Of every kind. */
  rules(shopId: string): Promise<AlertRule[]>;
  setRules(shopId: string, changes: readonly RuleChange[]): Promise<void>;
  webhook(shopId: string): Promise<AlertWebhook | null>;
  /** Gives the secret if it made one: of a new webhook, or when it is asked to. */
  setWebhook(shopId: string, change: { url: string; newSecret: boolean }): Promise<string | null>;
  removeWebhook(shopId: string): Promise<void>;
  /** The kinds of open alerts by shop. */
  open(): Promise<ReadonlyMap<string, readonly AlertKind[]>>;
  /** The newest. */
  list(shopId: string, limit: number): Promise<Alert[]>;
  raise(shopId: string, findings: readonly Finding[]): Promise<void>;
  end(shopId: string, alerts: readonly Alert[]): Promise<void>;
  /** Notes how an attempt went: without a problem it is sent; else it is tried again, or given up. */
  delivered(of: AlertOfShop, problem: string): Promise<void>;
  /** Its message is sent no more. */
  withdraw(of: AlertOfShop): Promise<void>;
}

const SECRET_BYTES = 24;
const NO_KEY =
  'This service has no SECRETS_KEY, so it cannot keep the secret of a webhook; its operator sets one, see .env.example.';

export function createAlerts({ store, sealing, takeStamps, withLock, now }: AlertsDeps): Alerts {
  const ownerOf = (shopId: string): string => `webhook of alerts ${shopId}`;
  const change = <T>(shopId: string, work: () => Promise<T>): Promise<T> => withLock(`alerts:${shopId}`, work);
  const rules = async (shopId: string): Promise<AlertRule[]> => {
    const stored = await store.rules(shopId);
    return ALERT_KINDS.map((kind) => stored.find((rule) => rule.kind === kind) ?? quietRule(kind));
  };
  const webhook = async (shopId: string): Promise<AlertWebhook | null> => {
    const stored = await store.webhook(shopId);
    return stored && { url: stored.url, secret: sealing?.open(stored.secret, ownerOf(shopId)) ?? null };
  };

  return {
    rules,
    setRules: (shopId, changes) =>
      change(shopId, async () => {
        const byKind = new Map<AlertKind, RuleChange>(changes.map((rule) => [rule.kind, rule]));
        const changed = (await rules(shopId)).flatMap((rule) => {
          const wanted = byKind.get(rule.kind);
          if (wanted === undefined) return [];
          return { ...wanted, onSince: wanted.isOn ? (rule.isOn ? rule.onSince : now()) : null };
        });
        await store.writeRules(shopId, changed, await takeStamps());
      }),
    webhook,
    setWebhook: (shopId, { url, newSecret }) =>
      change(shopId, async () => {
        if (sealing === undefined) throw requestError('invalid_request', NO_KEY);
        const kept = newSecret ? null : ((await webhook(shopId))?.secret ?? null);
        const secret = kept ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
        await store.writeWebhook(shopId, { url, secret: sealing.seal(secret, ownerOf(shopId)) }, await takeStamps());
        return kept === null ? secret : null;
      }),
    removeWebhook: (shopId) => change(shopId, async () => store.writeWebhook(shopId, null, await takeStamps())),
    open: () => store.open(),
    list: (shopId, limit) => store.list(shopId, limit),
    async raise(shopId, findings) {
      if (findings.length === 0) return;
      const at = now();
      const isSent = (await store.webhook(shopId)) !== null;
      const alerts = findings.map(({ kind, day, measured, threshold }): Alert => ({
        kind,
        day,
        measured,
        threshold,
        alertId: randomUUID(),
        since: at,
        endedAt: isMessage(kind) ? at : null,
        delivery: isSent ? 'waiting' : 'none',
        attempts: 0,
        nextAt: isSent ? at : null,
        problem: '',
      }));
      await store.write(shopId, alerts, await takeStamps());
    },
    async end(shopId, alerts) {
      if (alerts.length === 0) return;
      await store.write(
        shopId,
        alerts.map((alert) => ({ ...alert, endedAt: now() })),
        await takeStamps(),
      );
    },
    async delivered({ shopId, alert }, problem) {
      const attempts = alert.attempts + 1;
      const nextAt = problem === '' ? null : nextAttempt(attempts, now());
      const delivery = problem === '' ? 'sent' : nextAt === null ? 'failed' : 'waiting';
      await store.write(shopId, [{ ...alert, attempts, nextAt, delivery, problem }], await takeStamps());
    },
    async withdraw({ shopId, alert }) {
      await store.write(shopId, [{ ...alert, nextAt: null, delivery: 'none' }], await takeStamps());
    },
  };
}
