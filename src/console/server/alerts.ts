import { randomUUID } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { requestError, requireNoFaults } from '../../errors.js';
import { readJson } from '../../body/read-json.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { Alerts } from '../../repositories/alerts.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  alertRulesValidator,
  alertWebhookValidator,
  checkAlertRules,
  shownAlert,
  shownRule,
  testPayload,
  type AlertsAnswer,
  type WebhookAnswer,
  type WebhookTest,
} from '../../schemas/alerts.js';
import { bodyFor } from '../../schemas/slack.js';
import { urlFault, type SendWebhook } from '../../webhooks/send.js';
import type { AppRoutes } from './app-routes.js';
import { refuse } from './guard.js';
import { shopOf } from './shops.js';
import type { TryLimiter } from './tries.js';

export interface AlertRouteDeps {
  sources: SourceRegistry;
  alerts: Alerts;
  send: SendWebhook;
  allowPrivate: boolean;
  /** Counts the tests of a shop. */
  tests: Pick<TryLimiter, 'consume'>;
  now: () => number;
}

/** Tests of a webhook that a shop has in a minute. */
export const WEBHOOK_TESTS = 6;
const PATH = '/app/api/shops/:shop/alerts';
const BODY_BYTES = 16 * 1024;
/** The newest, which are all that are shown. */
const SHOWN = 50;

/** Routes of alert rules, their webhook and raised alerts. */
export function alertRoutes(routes: AppRoutes, deps: AlertRouteDeps): void {
  const { sources, alerts, send, allowPrivate, tests, now } = deps;

  routes.get(PATH, async (req, res) => {
    const shopId = shopOf(req);
    await sources.require(shopId);
    const [rules, raised, webhook] = await Promise.all([
      alerts.rules(shopId),
      alerts.list(shopId, SHOWN),
      alerts.webhook(shopId),
    ]);
    const answer: AlertsAnswer = {
      rules: rules.map(shownRule),
      alerts: raised.map(shownAlert),
      webhook: webhook && { url: webhook.url, needs_secret: webhook.secret === null },
    };
    res.json(answer);
  });

  routes.put(PATH, async (req, res) => {
    const body = requireValid(alertRulesValidator, await readJson(req, BODY_BYTES));
    requireNoFaults(checkAlertRules(body));
    const shopId = shopOf(req);
    await sources.require(shopId);
    const rules = body.rules.map(({ kind, is_on, threshold }) => ({ kind, isOn: is_on, threshold }));
    const of = { what: 'changed the alerts', shop: shopId };
    await routes.change(res, of, () => alerts.setRules(shopId, rules));
    res.json({ rules: (await alerts.rules(shopId)).map(shownRule) });
  });

  routes.put(`${PATH}/webhook`, async (req, res) => {
    const { url, new_secret = false } = requireValid(alertWebhookValidator, await readJson(req, BODY_BYTES));
    const fault = urlFault(url, allowPrivate);
    if (fault !== undefined) throw requestError('invalid_value', `url ${fault}.`, 'url');
    const shopId = shopOf(req);
    await sources.require(shopId);
    const of = { what: 'set the webhook of the alerts', shop: shopId };
    const set = () => alerts.setWebhook(shopId, { url, newSecret: new_secret });
    res.json({ secret: await routes.change(res, of, set) } satisfies WebhookAnswer);
  });

  routes.delete(`${PATH}/webhook`, async (req, res) => {
    const shopId = shopOf(req);
    const of = { what: 'removed the webhook of the alerts', shop: shopId };
    await routes.change(res, of, () => alerts.removeWebhook(shopId));
    res.status(204).end();
  });

  routes.post(`${PATH}/webhook/test`, async (req, res) => {
    const shopId = shopOf(req);
    const webhook = await alerts.webhook(shopId);
    if (webhook === null) throw requestError('not_found', 'This shop has no webhook.');
    if (webhook.secret === null)
      throw requestError('invalid_value', 'The signing secret cannot be read: make another one.');
    const wait = await waitOf(tests, shopId);
    if (wait !== null) {
      res.setHeader('Retry-After', String(wait));
      refuse(res, 429, 'too_many_tries', `Too many tests of this webhook: try again in ${wait} s.`);
      return;
    }
    const startedAt = performance.now();
    const payload = bodyFor(webhook.url, testPayload(shopId, now()));
    const outcome = await send({ url: webhook.url, secret: webhook.secret, id: randomUUID(), payload });
    const answer: WebhookTest = {
      status: null,
      problem: null,
      ...outcome,
      ms: Math.round(performance.now() - startedAt),
    };
    res.json(answer);
  });
}

/** Seconds until the next test; null: now. */
async function waitOf(tests: Pick<TryLimiter, 'consume'>, shopId: string): Promise<number | null> {
  try {
    await tests.consume(shopId);
    return null;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
  }
}
