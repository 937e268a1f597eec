import { randomUUID } from 'node:crypto';
import { requestError, requireNoFaults } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import type { Alerts } from '../../repositories/alerts.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  alertRulesValidator,
  AlertsAnswer,
  alertWebhookValidator,
  checkAlertRules,
  RulesAnswer,
  shownAlert,
  shownRule,
  testPayload,
  WebhookAnswer,
  WebhookTest,
} from '../../schemas/alerts.js';
import { bodyFor } from '../../schemas/slack.js';
import { urlFault, type SendWebhook } from '../../webhooks/send.js';
import { appRoute, type AppRoute } from './app-route.js';
import { takeTry, type TryLimiter } from './tries.js';

export interface AlertRouteDeps {
  sources: SourceRegistry;
  alerts: Alerts;
  send: SendWebhook;
  allowPrivate: boolean;
  /** Counts the tests of a shop. */
  webhookTests: Pick<TryLimiter, 'consume'>;
  now: () => number;
}

/** Tests of a webhook that a shop has in a minute. */
export const WEBHOOK_TESTS = 6;
const BODY_BYTES = 16 * 1024;
/** The newest, which are all that are shown. */
const SHOWN = 50;

/** Alert rules, their webhook and raised alerts. */
export const alertRoutes: readonly AppRoute<AlertRouteDeps>[] = [
  appRoute('manager', 'GET /app/api/shops/:shop/alerts', {
    answers: { 200: AlertsAnswer },
    errors: ['source_not_registered'],
    async run({ shopId }, { sources, alerts }) {
      await sources.require(shopId);
      const [rules, raised, webhook] = await Promise.all([
        alerts.rules(shopId),
        alerts.list(shopId, SHOWN),
        alerts.webhook(shopId),
      ]);
      return {
        rules: rules.map(shownRule),
        alerts: raised.map(shownAlert),
        webhook: webhook && { url: webhook.url, needs_secret: webhook.secret === null },
      };
    },
  }),
  appRoute('manager', 'PUT /app/api/shops/:shop/alerts', {
    body: json(alertRulesValidator, BODY_BYTES),
    answers: { 200: RulesAnswer },
    errors: ['source_not_registered'],
    async run({ shopId, body, change }, { sources, alerts }) {
      requireNoFaults(checkAlertRules(body));
      await sources.require(shopId);
      const rules = body.rules.map(({ kind, is_on, threshold }) => ({ kind, isOn: is_on, threshold }));
      await change('changed the alerts', () => alerts.setRules(shopId, rules));
      return { rules: (await alerts.rules(shopId)).map(shownRule) };
    },
  }),
  appRoute('manager', 'PUT /app/api/shops/:shop/alerts/webhook', {
    body: json(alertWebhookValidator, BODY_BYTES),
    answers: { 200: WebhookAnswer },
    errors: ['source_not_registered'],
    async run({ shopId, body, change }, { sources, alerts, allowPrivate }) {
      const { url, new_secret: newSecret = false } = body;
      const fault = urlFault(url, allowPrivate);
      if (fault !== undefined) throw requestError('invalid_value', `url ${fault}.`, 'url');
      await sources.require(shopId);
      const set = () => alerts.setWebhook(shopId, { url, newSecret });
      return { secret: await change('set the webhook of the alerts', set) };
    },
  }),
  appRoute('manager', 'DELETE /app/api/shops/:shop/alerts/webhook', {
    run: ({ shopId, change }, { alerts }) =>
      change('removed the webhook of the alerts', () => alerts.removeWebhook(shopId)),
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/alerts/webhook/test', {
    answers: { 200: WebhookTest },
    errors: ['invalid_value', 'too_many_tries'],
    async run({ shopId }, { alerts, send, webhookTests, now }) {
      const webhook = await alerts.webhook(shopId);
      if (webhook === null) throw requestError('not_found', 'This shop has no webhook.');
      if (webhook.secret === null)
        throw requestError('invalid_value', 'The signing secret cannot be read: make another one.');
      await takeTry(webhookTests, shopId, 'tests of this webhook');
      const startedAt = performance.now();
      const payload = bodyFor(webhook.url, testPayload(shopId, now()));
      const outcome = await send({ url: webhook.url, secret: webhook.secret, id: randomUUID(), payload });
      return { status: null, problem: null, ...outcome, ms: Math.round(performance.now() - startedAt) };
    },
  }),
];
