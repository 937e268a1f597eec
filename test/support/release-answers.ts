import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openAlerts } from '../../src/composition/alerts.js';
import { fieldsOf, isFields } from '../../src/domain/fields.js';
import { EXPLAINABLE_FIGURES } from '../../src/domain/metrics/figure-list.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { createAccessLog } from '../../src/warehouse/queries/access-log.js';
import { createPeopleStore } from '../../src/warehouse/queries/people.js';
import { createPushList } from '../../src/warehouse/queries/push-list.js';
import { createRejectionsReader } from '../../src/warehouse/queries/rejections.js';
import { createShareLinkStore } from '../../src/warehouse/queries/share-links.js';
import { createShopifyHookStore } from '../../src/warehouse/queries/shopify-hooks.js';
import { dayOf, SHOP } from './release-shop.js';
import type { Service } from './service.js';

/** What must come out of the backup of a release. */
export interface Expected {
  made_at: number;
  /** The job that failed for good: it is put back after the restore. */
  dead_letter: { queue: 'spend'; id: string };
  /** Bodies by what was asked. */
  answers: Record<string, unknown>;
  /** What is stored besides, as today's code reads it. */
  stored: Record<string, unknown>;
}

export const FIXTURES = 'test/fixtures';

/** The folder of the newest release's fixture. */
export const fixtureOf = (release: string): string => join(FIXTURES, `release-${release}`);

export const readExpected = (folder: string): Expected =>
  JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;

/** The oldest, which were there before the backup: those of the jobs depend on which of them are done together. */
const RESTATEMENTS = 50;

/** What is asked of a restored fixture: nothing whose answer depends on the time of the question. */
export function questionsOf(madeAt: number, asOf: readonly number[]): string[] {
  const range = `from=${dayOf(madeAt, 0)}&to=${dayOf(madeAt, 10)}`;
  return [
    '/v1/source',
    '/v1/costs/expenses',
    '/v1/costs/gateway-fees',
    '/v1/rates',
    '/v1/products/costs',
    '/v1/hooks/shopify',
    `/v1/products?${range}`,
    `/v1/orders?${range}`,
    ...[1001, 1002, 1003, 1006].map((id) => `/v1/orders/${id}`),
    `/v1/metrics?${range}&include=expenses,coverage,statement`,
    `/v1/metrics/daily?${range}`,
    ...asOf.map((ms) => `/v1/metrics/daily?${range}&as_of=${new Date(ms).toISOString()}`),
    `/v1/restatements?${range}&limit=${RESTATEMENTS}`,
    ...['last_touch', 'linear'].map((model) => `/v1/attribution?${range}&model=${model}`),
    ...EXPLAINABLE_FIGURES.map((figure) => `/v1/metrics/explain?figure=${figure}&${range}`),
  ];
}

export async function answersOf(service: Service, questions: readonly string[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of questions) {
    const { status, body } = await service.call('GET', path, { key: SHOP.key });
    expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200);
    const told = fieldsOf(JSON.parse(JSON.stringify(body).replaceAll(service.url, '')));
    answers[path] = Object.fromEntries(Object.entries(told).filter(([name]) => name !== 'next'));
  }
  return answers;
}

/** What no route tells, or only for some time after it was written. */
export async function storedOf({ stores, config }: Service, madeAt: number): Promise<Record<string, unknown>> {
  const { warehouse } = stores;
  const then = (): number => madeAt + 3_600_000;
  const { alerts } = openAlerts(config, stores);
  const keys = await stores.keys.list(SHOP.id);
  const pushes = await createPushList(warehouse, then)({ shopId: SHOP.id }, undefined, 100);
  const stored = {
    keys: keys.map(({ keyHash, name, kind, scopes }) => ({ keyHash, name, kind, scopes })),
    people: await createPeopleStore(warehouse).list(),
    links: await createShareLinkStore(warehouse).list(SHOP.id),
    deeds: await createAccessLog(warehouse, then).list(100),
    rules: await alerts.rules(SHOP.id),
    webhook: await alerts.webhook(SHOP.id),
    alerts: await alerts.list(SHOP.id, 10),
    hook: await createShopifyHookStore(warehouse).ofShop(SHOP.id),
    analysts: await createBiUsers(warehouse, config.clickhouseDatabase).list(),
    rejections: await createRejectionsReader(warehouse, then).list({ shopId: SHOP.id }, undefined, 100),
    pushes: pushes.map(({ batchId, kind, accepted, rejected }) => ({ batchId, kind, accepted, rejected })),
  };
  return JSON.parse(JSON.stringify(stored)) as Record<string, unknown>;
}

/**
 * Where an answer lacks or contradicts what is expected, as lines. A later release may say more: fields that are not expected are no
 * fault, more or fewer entries of a list are.
 */
export function faultsOf(expected: unknown, found: unknown, at = ''): string[] {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.flatMap((value, i) => faultsOf(value, found[i], `${at}[${i}]`));
  if (isFields(expected) && isFields(found))
    return Object.entries(expected).flatMap(([name, value]) => faultsOf(value, found[name], `${at} ${name}`));
  if (JSON.stringify(expected) === JSON.stringify(found)) return [];
  return [`${at}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
}
