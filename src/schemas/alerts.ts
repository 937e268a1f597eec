import Type, { type Static } from 'typebox';
import { ALERT_KINDS, DELIVERIES, THRESHOLDS, type Alert, type AlertKind, type AlertRule } from '../domain/alerts.js';
import { isDecimal } from '../domain/micros.js';
import type { ErrorDetail } from '../errors.js';
import type { RangeMetrics } from './metrics.js';
import { closed, NullableDay, NullableText, NullableTimestamp, Timestamp } from './primitives.js';
import { validator } from './validator.js';

const Rule = Type.Object(
  { kind: Type.Enum([...ALERT_KINDS]), is_on: Type.Boolean(), threshold: Type.String({ maxLength: 22 }) },
  closed,
);
const RulesInput = Type.Object({ rules: Type.Array(Rule, { minItems: 1, maxItems: ALERT_KINDS.length }) }, closed);
const WebhookInput = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: 1000 }), new_secret: Type.Optional(Type.Boolean()) },
  closed,
);

export const alertRulesValidator = validator(RulesInput, 'The body');
export const alertWebhookValidator = validator(WebhookInput, 'The body');

/** Faults of thresholds, and of kinds that are there twice. */
export function checkAlertRules({ rules }: Static<typeof RulesInput>): ErrorDetail[] {
  return rules.flatMap(({ kind, threshold }, i): ErrorDetail[] => {
    const fault = (name: string, message: string): ErrorDetail => {
      const field = `rules[${i}].${name}`;
      return { code: 'invalid_value', message: `${field} ${message}`, field };
    };
    const isTwice = rules.findIndex((rule) => rule.kind === kind) < i;
    const wrong = thresholdFault(kind, threshold);
    return [
      ...(isTwice ? [fault('kind', 'is there twice.')] : []),
      ...(wrong === undefined ? [] : [fault('threshold', wrong)]),
    ];
  });
}

function thresholdFault(kind: AlertKind, threshold: string): string | undefined {
  const of = THRESHOLDS[kind];
  if (of.unit === 'amount') return isDecimal(threshold) ? undefined : 'must be an amount such as 100.00.';
  const number = /^\d{1,3}$/.test(threshold) ? Number(threshold) : NaN;
  return number >= of.least && number <= of.most
    ? undefined
    : `must be a whole number from ${of.least} to ${of.most} (${of.unit}).`;
}

const Rules = Type.Array(Rule);

/** An alert in an answer; timestamps are RFC 3339 in UTC. */
const ShownAlert = Type.Object(
  {
    alert_id: Type.String(),
    kind: Rule.properties.kind,
    /** Null: it is about no day. */
    day: NullableDay,
    measured: Type.String(),
    threshold: Type.String(),
    since: Timestamp,
    /** Null: it is still so. */
    ended_at: NullableTimestamp,
    delivery: Type.Enum([...DELIVERIES]),
    attempts: Type.Integer(),
    next_at: NullableTimestamp,
    problem: NullableText,
  },
  closed,
);
export type ShownAlert = Static<typeof ShownAlert>;

const ShownWebhook = Type.Object({ url: Type.String(), needs_secret: Type.Boolean() }, closed);

/** `GET /app/api/shops/:shop/alerts`; the newest alerts first. */
export const AlertsAnswer = Type.Object(
  { rules: Rules, alerts: Type.Array(ShownAlert), webhook: Type.Union([ShownWebhook, Type.Null()]) },
  closed,
);
export type AlertsAnswer = Static<typeof AlertsAnswer>;

export const RulesAnswer = Type.Object({ rules: Rules }, closed);

/** The answer of the one request that makes the secret; null: it is the one of before. */
export const WebhookAnswer = Type.Object({ secret: NullableText }, closed);
export type WebhookAnswer = Static<typeof WebhookAnswer>;

/** `status` is that of its answer; null: there was none. `ms`: how long it took. */
export const WebhookTest = Type.Object(
  { status: Type.Union([Type.Integer(), Type.Null()]), problem: NullableText, ms: Type.Integer() },
  closed,
);
export type WebhookTest = Static<typeof WebhookTest>;

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const shownRule = ({ kind, isOn, threshold }: AlertRule): Static<typeof Rule> => ({
  kind,
  is_on: isOn,
  threshold,
});

export const shownAlert = (alert: Alert): ShownAlert => ({
  alert_id: alert.alertId,
  kind: alert.kind,
  day: alert.day === '' ? null : alert.day,
  measured: alert.measured,
  threshold: alert.threshold,
  since: new Date(alert.since).toISOString(),
  ended_at: timeOf(alert.endedAt),
  delivery: alert.delivery,
  attempts: alert.attempts,
  next_at: timeOf(alert.nextAt),
  problem: alert.problem === '' ? null : alert.problem,
});

/** The body of a webhook. `measured` and `threshold` are hours, percent or an amount of `currency`, by kind. */
export const alertPayload = (shopId: string, alert: Alert, currency: string | null) => ({
  type: 'alert.raised' as const,
  timestamp: new Date(alert.since).toISOString(),
  data: {
    alert_id: alert.alertId,
    shop_id: shopId,
    kind: alert.kind,
    day: alert.day === '' ? null : alert.day,
    measured: alert.measured,
    threshold: alert.threshold,
    currency: THRESHOLDS[alert.kind].unit === 'amount' ? currency : null,
  },
});

/** The body of a test of a webhook. */
export const testPayload = (shopId: string, nowMs: number) => ({
  type: 'alert.test' as const,
  timestamp: new Date(nowMs).toISOString(),
  data: { shop_id: shopId },
});

/** What the morning summary of a shop says; timestamps are RFC 3339 in UTC, days `YYYY-MM-DD`, amounts in the currency of the shop. */
export interface MorningSummary {
  /** Of the day before, as `GET /v1/metrics` answers it with `include=expenses,coverage,statement&vs=before`. */
  statement: RangeMetrics & { compared: RangeMetrics };
  /** Earnings of earlier days that changed since the last summary. */
  changed: {
    since: string;
    /** At most 100 are looked at. */
    days_changed: number;
    /** Of all of these. */
    change: string;
    /** The 20 that changed most, largest first. */
    days: { date: string; before: string; after: string; change: string }[];
  };
  /** The day that has begun, and the day before as it stood at the same time on the clock. */
  today: RangeMetrics & { compared: RangeMetrics & { as_of: string } };
}

/** The body of the webhook of a summary, all of it as it stood at `timestamp`. */
export const summaryPayload = (shopId: string, { alertId, since, day }: Alert, summary: MorningSummary) => ({
  type: 'summary.morning' as const,
  timestamp: new Date(since).toISOString(),
  data: { alert_id: alertId, shop_id: shopId, day, ...summary },
});

/** What is sent to a webhook. */
export type AlertMessage = ReturnType<typeof alertPayload | typeof testPayload | typeof summaryPayload>;
