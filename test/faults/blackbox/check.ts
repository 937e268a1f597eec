import { expect } from 'chai';
import type { Static } from 'typebox';
import { INGEST_KINDS, type IngestKind } from '../../../src/domain/ingest.js';
import { QUEUES } from '../../../src/queue/jobs.js';
import { expectFigures, type FiguresAnswer } from '../../support/cost-figures.js';
import { daysOf, referenceFigures, settle } from '../../support/cost-reference.js';
import type { Service } from '../../support/service.js';
import { until } from '../../embedded/processes.js';
import type { IngestStatusResponse, KindStatus } from '../../../src/schemas/ingest-status.js';
import type { Account } from './load.js';
import type { Machine } from './machine.js';

type Status = Pick<Static<typeof IngestStatusResponse>, 'audit'> & {
  kinds: Record<IngestKind, Static<typeof KindStatus>>;
};

/** Longest time in which all is done that was left to do, on a busy machine too. */
const REST_MS = 240_000;
const STATUS_MS = 120_000;
const ANSWER_MS = 120_000;

/**
 * Throws unless all that was acknowledged is in the figures once, of each machine, and nothing is left over. Nobody pushes
 * meanwhile.
 */
export async function checkAll(
  observer: Service,
  machines: readonly Machine[],
  accounts: readonly Account[],
  range: { from: string; to: string },
): Promise<void> {
  await rest(observer);
  const checks = accounts.flatMap((account) => [
    ...machines.map((machine) => checkFigures(account, machine, range)),
    checkStored(observer, account),
    checkStatus(account, machines[0]?.url ?? ''),
  ]);
  await Promise.all(checks);
}

/** Waits until no job and no rebuild is queued; says what is left otherwise. */
async function rest(observer: Service): Promise<void> {
  const { deps, stores } = observer;
  const left = async (): Promise<string[]> => {
    const queues = await Promise.all(QUEUES.map(async (name) => ({ name, ...(await deps.producer.counts(name)) })));
    const orders = await stores.attributionQueue.count();
    const lanes = await Promise.all(Object.values(stores.rebuildQueues.lanes).map((lane) => lane.count()));
    const jobs = queues.filter(({ name: _, ...counts }) => Object.values(counts).some((count) => Number(count) > 0));
    return [...jobs, ...[orders, ...lanes].filter((count) => count > 0)].map((one) => JSON.stringify(one));
  };
  let last: string[] = [];
  let quiet = 0;
  const isAtRest = async (): Promise<boolean> => {
    last = await left().catch((error: unknown) => [String(error)]);
    if (last.some((one) => /"failed":[1-9]/.test(one))) throw new Error(`there are dead letters: ${last.join(' ')}`);
    quiet = last.length === 0 ? quiet + 1 : 0;
    return quiet >= 2;
  };
  await until('everything is done', isAtRest, REST_MS).catch((error: unknown) => {
    throw new Error(`${String(error)}; jobs and rebuilds left: ${last.join(' ')}`);
  });
}

/** The answer to a question about a shop, once the service has it: on a busy machine the first one may be 503. */
async function ask({ shop }: Account, url: string, path: string): Promise<unknown> {
  return until(
    `an answer of ${url}${path}`,
    async () => {
      const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${shop.key}` } });
      const body: unknown = await answer.json();
      expect(answer.status, `${path}: ${JSON.stringify(body)}`).to.be.oneOf([200, 503]);
      return answer.status === 200 && body;
    },
    ANSWER_MS,
  );
}

async function checkFigures(account: Account, { url, name }: Machine, { from, to }: { from: string; to: string }) {
  const { shop, zone } = account;
  const state = { ...settle(account.costs), orders: [...account.orders.values()] };
  const range = `from=${from}&to=${to}&include=coverage,expenses,statement`;
  const metrics = (await ask(account, url, `/v1/metrics?${range}`)) as FiguresAnswer;
  const daily = (await ask(account, url, `/v1/metrics/daily?${range}`)) as { days: FiguresAnswer[] };
  const days = daysOf(from, to);
  expect(daily.days).to.have.length(days.length);
  for (const [i, figures] of daily.days.entries()) {
    const day = days[i] ?? '';
    expectFigures(figures, referenceFigures(state, zone, day, day), `${shop.id} on ${day}, asked of ${name}`);
  }
  expectFigures(metrics, referenceFigures(state, zone, from, to), `${shop.id}, asked of ${name}`);
}

async function checkStored({ stores }: Service, { shop, orders, events }: Account): Promise<void> {
  const of = { shop: shop.id };
  const stored = await stores.warehouse.query<{ id: string; version: string }>(
    `SELECT order_id AS id, formatDateTime(updated_at, '%FT%T.%fZ') AS version
     FROM orders FINAL WHERE shop_id = {shop:String} AND is_deleted = 0`,
    of,
  );
  const versions = new Map(stored.map(({ id, version }) => [id, Date.parse(version)]));
  expect(versions.size, `orders of ${shop.id} that are stored twice`).to.equal(stored.length);
  const live = [...orders.values()].filter(({ deleted }) => deleted !== true);
  const wrong = live.filter((order) => versions.get(order.order_id) !== Date.parse(order.updated_at ?? ''));
  expect(
    wrong.map(({ order_id, updated_at }) => `${order_id} of ${updated_at ?? ''}`),
    `orders of ${shop.id} whose newest version is not stored`,
  ).to.deep.equal([]);
  expect(stored.length, `orders of ${shop.id}`).to.equal(live.length);

  const [counts] = await stores.warehouse.query<{ n: string; ids: string }>(
    'SELECT count() AS n, uniqExact(event_id) AS ids FROM events FINAL WHERE shop_id = {shop:String}',
    of,
  );
  const all = String(events.size);
  expect(counts, `events of ${shop.id}`).to.deep.equal({ n: all, ids: all });
}

/** Every push is counted; one whose first attempt got no answer may have been taken twice. */
async function checkStatus(account: Account, url: string): Promise<void> {
  const { shop, counts } = account;
  const look = async (): Promise<true> => {
    const { kinds, audit } = (await ask(account, url, '/v1/ingest/status')) as Status;
    expect(audit?.wrong_days ?? [], `audit of ${shop.id}`).to.deep.equal([]);
    for (const kind of INGEST_KINDS) {
      const { top_error_codes: errors, windows } = kinds[kind];
      expect(errors, `${kind} of ${shop.id}`).to.deep.equal([]);
      expect(windows['24h'], `${kind} of ${shop.id}`).to.include({ rejected: 0, superseded: 0 });
      if (kind === 'expenses') continue;
      const { sure, unsure } = counts[kind];
      expect(windows['24h'].accepted, `${kind} of ${shop.id}`).to.be.within(sure, sure + unsure);
    }
    return true;
  };
  // An answer is shared for some seconds.
  let found: unknown;
  const isRight = () => look().catch((error: unknown) => void (found = error));
  await until('the status is right', isRight, STATUS_MS).catch(() => {
    throw found;
  });
}
