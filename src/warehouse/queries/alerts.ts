import { Type } from 'typebox';
import { RECENT_MS, type Alert, type AlertKind, type AlertRule, type Delivery } from '../../domain/alerts.js';
import type { Warehouse } from '../client.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { defineQuery, nullable, textOf, texts, type RowOf } from '../query.js';
import { millisOf } from '../sql.js';
import { at } from './push-hours.js';

const RULES = defineQuery('alert rules', {
  kind: textOf<AlertKind>(),
  isOn: Type.Boolean(),
  threshold: Type.String(),
  onSince: nullable(Type.Number()),
});
const WEBHOOKS = defineQuery('webhooks of alerts', texts('url', 'secret'));
const OPEN = defineQuery('open alerts', { shop_id: Type.String(), kinds: Type.Array(textOf<AlertKind>()) });
const SHOPS = defineQuery('shops with alerts', texts('shop_id'));
const ALERTS = defineQuery('alerts', {
  ...texts('shopId', 'alertId', 'day', 'measured', 'threshold', 'problem'),
  kind: textOf<AlertKind>(),
  delivery: textOf<Delivery>(),
  attempts: Type.Number(),
  since: Type.Number(),
  endedAt: nullable(Type.Number()),
  nextAt: nullable(Type.Number()),
});

const SELECT = `SELECT a.shop_id AS shopId, a.alert_id AS alertId, a.kind AS kind, a.day AS day, a.measured AS measured,
  a.threshold AS threshold, a.delivery AS delivery, a.attempts AS attempts, a.problem AS problem, ${millisOf('a.since')} AS since,
  ${millisOf('a.ended_at')} AS endedAt, ${millisOf('a.next_at')} AS nextAt FROM alerts AS a FINAL`;

const dueAt = (nowMs: number): string =>
  `a.since >= ${at(nowMs - RECENT_MS)} AND a.delivery = 'waiting' AND a.next_at <= ${at(nowMs)}`;

/** A webhook as it is stored: its secret is sealed. */
export interface StoredWebhook {
  url: string;
  secret: string;
}

export interface AlertOfShop {
  shopId: string;
  alert: Alert;
}

export interface AlertStore {
  /** The rules that were ever set. */
  rules(shopId: string): Promise<AlertRule[]>;
  writeRules(shopId: string, rules: readonly AlertRule[], version: number): Promise<void>;
  webhook(shopId: string): Promise<StoredWebhook | null>;
  /** Null takes it away, and leaves none of its secret in the newest row. */
  writeWebhook(shopId: string, webhook: StoredWebhook | null, version: number): Promise<void>;
  /** Shops of which a rule is on or an alert is open. */
  shops(): Promise<string[]>;
  /** The kinds of open alerts by shop; a shop without any is absent. */
  open(): Promise<Map<string, AlertKind[]>>;
  /** Those that are open, and those that were over only lately; not newest first. */
  recent(shopId: string, nowMs: number): Promise<Alert[]>;
  /** The newest. */
  list(shopId: string, limit: number): Promise<Alert[]>;
  /** Shops with some that are to be sent by now. */
  dueShops(nowMs: number): Promise<string[]>;
  /** Those of these shops that are to be sent by now, the longest waiting first; of each shop at most so many. */
  due(shopIds: readonly string[], nowMs: number, mostOfShop: number): Promise<AlertOfShop[]>;
  write(shopId: string, alerts: readonly Alert[], version: number): Promise<void>;
}

export function createAlertStore(warehouse: Warehouse): AlertStore {
  return {
    async rules(shop) {
      const sql = `SELECT kind, is_on AS isOn, threshold, ${millisOf('on_since')} AS onSince
        FROM alert_rules FINAL WHERE shop_id = {shop:String}`;
      return warehouse.ask(RULES(sql, { shop }));
    },
    async writeRules(shopId, rules, version) {
      const rows = rules.map(({ kind, isOn, threshold, onSince }) => ({
        shop_id: shopId,
        kind,
        is_on: isOn,
        threshold,
        version,
        on_since: nullableDateTimeText(onSince),
      }));
      await warehouse.insert('alert_rules', rows);
    },
    async webhook(shop) {
      const sql = `SELECT url, secret FROM alert_webhooks FINAL WHERE shop_id = {shop:String} AND NOT is_deleted`;
      const [row] = await warehouse.ask(WEBHOOKS(sql, { shop }));
      return row ?? null;
    },
    async writeWebhook(shopId, webhook, version) {
      const row = webhook ?? { is_deleted: 1 };
      await warehouse.insert('alert_webhooks', [{ shop_id: shopId, version, ...row }]);
    },
    async shops() {
      const sql = `SELECT shop_id FROM alert_rules FINAL WHERE is_on
        UNION DISTINCT SELECT shop_id FROM alerts FINAL WHERE ended_at IS NULL`;
      return (await warehouse.ask(SHOPS(sql))).map(({ shop_id }) => shop_id);
    },
    async open() {
      const sql = `SELECT shop_id, groupUniqArray(kind) AS kinds FROM alerts FINAL WHERE ended_at IS NULL GROUP BY shop_id`;
      return new Map((await warehouse.ask(OPEN(sql))).map(({ shop_id, kinds }) => [shop_id, kinds]));
    },
    async recent(shop, nowMs) {
      const sql = `${SELECT} WHERE a.shop_id = {shop:String} AND (a.ended_at IS NULL OR a.ended_at > ${at(nowMs - RECENT_MS)})`;
      return (await warehouse.ask(ALERTS(sql, { shop }))).map(toAlert);
    },
    async list(shop, limit) {
      const sql = `${SELECT} WHERE a.shop_id = {shop:String} ORDER BY a.since DESC, a.alert_id LIMIT {limit:UInt32}`;
      return (await warehouse.ask(ALERTS(sql, { shop, limit }))).map(toAlert);
    },
    async dueShops(nowMs) {
      const sql = `SELECT DISTINCT shop_id FROM alerts AS a FINAL WHERE ${dueAt(nowMs)}`;
      return (await warehouse.ask(SHOPS(sql))).map(({ shop_id }) => shop_id);
    },
    async due(shops, nowMs, most) {
      if (shops.length === 0) return [];
      const sql = `${SELECT} WHERE a.shop_id IN {shops:Array(String)} AND ${dueAt(nowMs)}
        ORDER BY a.next_at, a.alert_id LIMIT {most:UInt32} BY a.shop_id`;
      const rows = await warehouse.ask(ALERTS(sql, { shops: [...shops], most }));
      return rows.map((row) => ({ shopId: row.shopId, alert: toAlert(row) }));
    },
    async write(shopId, alerts, version) {
      const rows = alerts.map(({ alertId, since, endedAt, nextAt, ...same }) => ({
        ...same,
        shop_id: shopId,
        alert_id: alertId,
        version,
        since: dateTimeText(since),
        ended_at: nullableDateTimeText(endedAt),
        next_at: nullableDateTimeText(nextAt),
      }));
      if (rows.length > 0) await warehouse.insert('alerts', rows);
    },
  };
}

const toAlert = ({ shopId: _, ...alert }: RowOf<typeof ALERTS>): Alert => alert;
