import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { runAudit } from '../../src/cli/commands/audit.js';
import { runCheck } from '../../src/cli/days/check-days.js';
import { runMend } from '../../src/cli/days/mend-days.js';
import type { ZoneData } from '../../src/domain/zones/database.js';
import { startService, type Service, type Shop } from './service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

/** The release of the time zones that the service comes with. */
export const OWN_ZONES = 'node_modules/moment-timezone/data/packed/latest.json';
export const MOVED_ZONE = 'America/Vancouver';

/** A shop in {@link MOVED_ZONE}, whose service starts with a release before the law of 2026, and again with that of now. */
export interface MovedShop {
  service: Service;
  shop: Shop;
  /** Starts the service again with the release of now. */
  restart: (options?: { workers: boolean }) => Promise<void>;
  push: (...orders: object[]) => Promise<void>;
  /** The lines of `days check`. */
  check: () => Promise<string[]>;
  mend: () => ReturnType<typeof runMend>;
  /** Differences that the audit finds. */
  audit: () => Promise<number>;
  rows: (sql: string) => Promise<any[]>;
  /** Days, with orders, revenue, refunds and product costs. */
  daily: () => Promise<string[]>;
  /** Waits until the workers that have started keep the clock of now. */
  clocksRenewed: () => Promise<void>;
}

/** A new one for each test of the describe that calls this. */
export function useMovedShop(): MovedShop {
  const folder = mkdtempSync(join(tmpdir(), 'zones-'));
  const earlier = join(folder, 'earlier.json');
  const own = JSON.parse(readFileSync(OWN_ZONES, 'utf8')) as ZoneData;
  const zones = own.zones.map((zone) => (zone.startsWith(`${MOVED_ZONE}|`) ? `${MOVED_ZONE}|PST|80|0|` : zone));
  writeFileSync(earlier, JSON.stringify({ ...own, version: '2025c', zones }));
  const start = (zonesFile: string, workers = true) => startService({ workers, env: { ZONES_FILE: zonesFile } });
  const lines: string[] = [];
  const options = () => ({
    shop: moved.shop.id,
    stderr: new PassThrough().resume(),
    signal: new AbortController().signal,
    print: (line: string) => void lines.push(line.replaceAll(moved.shop.id, 'shop')),
    againAfterMs: 20,
  });
  const moved: MovedShop = {
    service: {} as Service,
    shop: {} as Shop,
    async restart({ workers } = { workers: true }) {
      await moved.service.stop();
      const service = await start(OWN_ZONES, workers);
      const { id, key } = moved.shop;
      const call: Shop['call'] = (method, path, body) =>
        service.call(method, path, { key, ...(body !== undefined && { body }) });
      Object.assign(moved, { service, shop: { id, key, call } });
    },
    async push(...orders) {
      const { body } = await moved.shop.call('POST', '/v1/orders', { orders });
      expect(body, JSON.stringify(body)).to.include({ accepted: orders.length });
    },
    async check() {
      lines.length = 0;
      await runCheck(moved.service.stores, options());
      return lines.splice(0);
    },
    mend() {
      const { stores, deps } = moved.service;
      return runMend({ stores, producer: deps.producer, receipts: stores.receipts }, options());
    },
    async audit() {
      const { differences, behind } = await runAudit(moved.service.stores, options());
      return differences + behind;
    },
    rows: (sql) => moved.service.stores.warehouse.query(sql, { shop: moved.shop.id }),
    async daily() {
      const { body } = await moved.shop.call('GET', '/v1/metrics/daily?from=2026-11-25&to=2026-11-27');
      return body.days.map((day: any) => `${day.date} ${day.orders} ${day.revenue} ${day.refunds} ${day.cogs}`);
    },
    async clocksRenewed() {
      const clock = () => moved.rows('SELECT clock_starts FROM sources FINAL WHERE shop_id = {shop:String}');
      for (let tries = 0; (await clock())[0]?.clock_starts.length < 2; tries++) {
        expect(tries).to.be.below(400);
        await sleep(50);
      }
    },
  };
  beforeEach(async () => {
    moved.service = await start(earlier);
    moved.shop = await moved.service.shop({ timezone: MOVED_ZONE, currency: 'CAD' });
  });
  afterEach(() => moved.service.stop());
  after(() => rmSync(folder, { recursive: true }));
  return moved;
}
