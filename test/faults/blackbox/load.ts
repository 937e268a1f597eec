import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderInput } from '../../../src/domain/orders/orders.js';
import type { CostPush } from '../../support/cost-arbitrary.js';
import { expectFigures, type FiguresAnswer } from '../../support/cost-figures.js';
import { referenceFigures, settle } from '../../support/cost-reference.js';
import { sendCostPush } from '../../support/cost-requests.js';
import type { Answer, Shop } from '../../support/service.js';
import { newCostPush, newEvents, newOrder } from './items.js';
import { createRandom, type Random } from '../../simulation/world/random.js';

/** What the clients of a shop know. */
export interface Account {
  shop: Shop;
  zone: string;
  token: string;
  /** Acknowledged: the newest version of each order, and all pushes of costs in their order. */
  orders: Map<string, OrderInput>;
  costs: CostPush[];
  events: Set<string>;
  /** Items of each kind: those acknowledged, and those of attempts that may or may not have been taken. */
  counts: Record<CountedKind, { sure: number; unsure: number }>;
}

export type CountedKind = 'orders' | 'spend' | 'product_costs' | 'events';

export interface Load {
  /** Requests that were acknowledged so far. */
  acknowledged(): number;
  /** Reads with a receipt that contained the push, and all before it. */
  readOwn(): number;
  /** Requests that were answered 503. */
  refused(): number;
  /** Throws what any client found wrong. */
  require(): void;
  /** The requests under way end, and none begins. */
  pause(): Promise<void>;
  resume(): void;
  /** As `pause`, but what is not acknowledged is given up. */
  giveUp(): Promise<void>;
}

export interface LoadOptions {
  seed: number;
  accounts: readonly Account[];
  /** A further shop, whose one client reads each push back with its receipt. */
  own: Account;
  urls: readonly string[];
  /** The first moment of the days that items fall on. */
  first: number;
  range: { from: string; to: string };
}

const PAUSE_MS = 120;
const AGAIN_MS = 150;
/** Longer than anything holds a process up: whoever gets no answer by then never will. */
const ANSWER_MS = 60_000;
/** Versions of orders that may be sent again. */
const RECENT = 200;

/** Null: what was answered has none, as the end of an expense that was not there. */
type Receipt = string | null;

function receiptOf(body: unknown): Receipt {
  const { receipt } = Object(body) as { receipt?: unknown };
  return typeof receipt === 'string' ? receipt : null;
}

/** Good clients: each sends one request after the other, and the same again until it is acknowledged. */
export function startLoad({ seed, accounts, own, urls, first, range }: LoadOptions): Load {
  let acknowledged = 0;
  let readOwn = 0;
  let refused = 0;
  let fault: unknown;
  let running: Promise<unknown> = Promise.resolve();
  let isPaused = true;
  let isGivenUp = false;
  let turn = 0;
  const nextUrl = (): string => urls[turn++ % urls.length] ?? '';

  const ask = async (method: string, path: string, headers: Record<string, string>, text?: string): Promise<Answer> => {
    const answer = await fetch(nextUrl() + path, {
      method,
      headers,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(text !== undefined && { body: text }),
    });
    const said = await answer.text();
    const isJson = (answer.headers.get('content-type') ?? '').includes('json');
    return { status: answer.status, headers: answer.headers, body: isJson && said !== '' ? JSON.parse(said) : said };
  };
  /** Until it is acknowledged; tells of every attempt that may have been taken all the same. */
  const insist = async (attempt: () => Promise<Answer>, onUnsure: () => void): Promise<Answer> => {
    for (;;) {
      if (isGivenUp) throw new Error('given up');
      const answer = await attempt().catch((error: unknown) => {
        if (error instanceof DOMException) throw new Error(`no answer within ${ANSWER_MS} ms`);
        return null;
      });
      if (answer !== null && answer.status !== 503) {
        if (answer.status >= 400 && answer.status !== 404) {
          throw new Error(`a good request was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
        }
        acknowledged++;
        return answer;
      }
      if (answer !== null && !answer.headers.has('retry-after')) throw new Error('503 without Retry-After');
      if (answer !== null) refused++;
      onUnsure();
      await sleep(AGAIN_MS);
    }
  };
  const caller =
    (key: string, onUnsure: () => void) =>
    (method: string, path: string, body?: unknown): Promise<Answer> => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const text = body === undefined ? undefined : JSON.stringify(body);
      return insist(() => ask(method, path, headers, text), onUnsure);
    };

  const pushOrders = (account: Account, choice: Random, name: string) => {
    const versions = new Map<string, number>();
    const recent: string[] = [];
    let made = 0;
    return async (): Promise<Receipt> => {
      const orders = new Map<string, OrderInput>();
      for (let i = choice.int(1, 6); i > 0; i--) {
        const isNew = recent.length === 0 || choice.chance(0.6);
        const id = isNew ? `${name}-${++made}` : choice.pick(recent);
        if (isNew && recent.push(id) > RECENT) recent.shift();
        const version = (versions.get(id) ?? 0) + 1;
        versions.set(id, version);
        orders.set(id, newOrder(choice, first, id, version));
      }
      const list = [...orders.values()];
      const counts = account.counts.orders;
      const call = caller(account.shop.key, () => (counts.unsure += list.length));
      const { body } = await call('POST', '/v1/orders', { orders: list });
      if (body.accepted !== list.length) throw new Error(`orders were not accepted: ${JSON.stringify(body.results)}`);
      counts.sure += list.length;
      for (const order of list) account.orders.set(order.order_id, order);
      return receiptOf(body);
    };
  };
  const pushCosts = (account: Account, choice: Random) => async (): Promise<Receipt> => {
    const push = newCostPush(choice, first);
    const [counts, size] =
      push.kind === 'spend'
        ? [account.counts.spend, push.rows.length]
        : push.kind === 'catalog'
          ? [account.counts.product_costs, push.costs.length]
          : [null, 0];
    const call = caller(account.shop.key, () => {
      if (counts !== null) counts.unsure += size;
    });
    const { body } = await sendCostPush({ ...account.shop, call }, push);
    if (counts !== null && body.accepted !== size) throw new Error(`costs were not accepted: ${JSON.stringify(body)}`);
    if (counts !== null) counts.sure += size;
    account.costs.push(push);
    return receiptOf(body);
  };
  const collect = (account: Account, choice: Random, name: string) => {
    let made = 0;
    let last: string[] = [];
    return async (): Promise<void> => {
      const own = Array.from({ length: choice.int(1, 8) }, () => `${name}-${++made}`);
      // Some come a second time: a browser that did not hear the answer.
      const ids = choice.chance(0.2) ? [...own, ...last] : own;
      const body = JSON.stringify({ token: account.token, events: newEvents(choice, ids) });
      const counts = account.counts.events;
      await insist(
        () => ask('POST', '/v1/collect', {}, body),
        () => (counts.unsure += ids.length),
      );
      counts.sure += ids.length;
      for (const id of ids) account.events.add(id);
      last = own;
    };
  };
  const read = (account: Account, choice: Random) => async (): Promise<void> => {
    const days = `from=${range.from}&to=${range.to}`;
    const path = choice.pick([`metrics?${days}`, `metrics/daily?${days}`, `orders?${days}`, 'ingest/status', 'health']);
    await caller(account.shop.key, () => undefined)('GET', `/v1/${path}`);
  };
  /** Nobody else pushes to the shop, so every figure is known. */
  const pushAndRead = (account: Account, choice: Random) => {
    const pushes = [pushOrders(account, choice, 'own'), pushCosts(account, choice)];
    const { from, to } = range;
    return async (): Promise<void> => {
      const receipt = await choice.pick(pushes)();
      if (receipt === null) return;
      const call = caller(account.shop.key, () => undefined);
      const { body } = await call(
        'GET',
        `/v1/metrics?from=${from}&to=${to}&include=coverage,expenses,statement&after=${receipt}`,
      );
      const state = { ...settle(account.costs), orders: [...account.orders.values()] };
      const expected = referenceFigures(state, account.zone, from, to);
      expectFigures(body as FiguresAnswer, expected, `read with the receipt ${receipt}`);
      readOwn++;
    };
  };

  const steps: (() => Promise<unknown>)[] = accounts.flatMap((account, i) => {
    const choiceOf = (client: number): Random => createRandom(seed * 1_000 + i * 10 + client);
    return [
      pushOrders(account, choiceOf(1), 'a'),
      pushOrders(account, choiceOf(2), 'b'),
      pushCosts(account, choiceOf(3)),
      collect(account, choiceOf(4), 'p'),
      collect(account, choiceOf(5), 'q'),
      read(account, choiceOf(6)),
    ];
  });
  steps.push(pushAndRead(own, createRandom(seed * 1_000 + accounts.length * 10)));
  const run = async (step: () => Promise<unknown>): Promise<void> => {
    try {
      while (!isPaused && fault === undefined) {
        await step();
        await sleep(PAUSE_MS);
      }
    } catch (error) {
      fault ??= error;
    }
  };
  return {
    acknowledged: () => acknowledged,
    readOwn: () => readOwn,
    refused: () => refused,
    require() {
      if (fault !== undefined) throw new Error('a client met what it must not', { cause: fault });
    },
    async pause() {
      isPaused = true;
      await running;
    },
    async giveUp() {
      isPaused = isGivenUp = true;
      await running;
    },
    resume() {
      isPaused = false;
      running = Promise.all(steps.map(run));
    },
  };
}
