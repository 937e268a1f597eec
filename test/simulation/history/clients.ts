import { parseReceipt } from '../../../src/domain/receipts.js';
import type { World } from '../world/world.js';
import { readExpenses } from './check-expenses.js';
import { newEvent } from './events.js';
import { newCost, newExpense, newOrder, newSpend, type SimulatedItem } from './items.js';
import type { Claim, HistoryRecord } from './record.js';
import type { Api, PushAnswer, PushKind } from './service.js';
import type { ItemOptions, Shop } from './shops.js';

export interface ClientOptions {
  world: World;
  apis: readonly Api[];
  shops: readonly Shop[];
  record: HistoryRecord;
  pushes: number;
  busyMs: number;
  /** Days that items fall on. */
  days: number;
  /** Orders that a shop has. */
  orders: number;
}

/** A push as its client knows it, whichever of its attempts is under way. */
interface ClientPush {
  shop: Shop;
  kind: PushKind;
  items: readonly SimulatedItem[];
}

const NEW = { orders: newOrder, product_costs: newCost, spend: newSpend, events: newEvent, expenses: newExpense };
const KINDS: readonly PushKind[] = [
  'orders',
  'orders',
  'orders',
  'orders',
  'product_costs',
  'spend',
  'events',
  'events',
  'expenses',
];
const ATTEMPTS = 3;

/** Clients that push at their times, and send again what got no answer. */
export function planPushes({ world, apis, shops, record, pushes, busyMs, days, orders }: ClientOptions): void {
  const { random, at, now, as } = world.scheduler;
  let tags = 0;
  let moment = 0;
  const newTag = (): number => ++tags;

  const later = (ms: number, push: ClientPush, attempts: number): void => {
    record.open.set(push, null);
    at(ms, null, () => send(push, attempts));
  };
  const send = (push: ClientPush, attemptsLeft: number): void => {
    const { shop, kind, items } = push;
    const api = random.pick(apis);
    const again = (): void => {
      if (attemptsLeft > 1) later(now() + random.int(10, 4_000), push, attemptsLeft - 1);
    };
    record.open.delete(push);
    if (!api.process.isAlive) {
      again();
      return;
    }
    const validateOnly = kind === 'orders' && random.chance(0.08);
    const begin = ++moment;
    const claims = items.map((item, position): Claim => ({
      shopId: shop.id,
      item,
      position,
      begin,
      end: Infinity,
      outcome: 'unknown',
      beganMs: Math.floor(now()),
      endedMs: Infinity,
    }));
    if (!validateOnly) record.claims.push(...claims);
    if (kind === 'expenses') record.expenseClaims.push(...claims);
    const answered = ({ results, receipt }: PushAnswer): void => {
      const end = ++moment;
      record.open.delete(push);
      results.forEach((result, i) => {
        if (result.outcome === 'rejected') record.violations.push(`an item was rejected: ${JSON.stringify(result)}`);
        Object.assign(claims[i] ?? {}, { end, endedMs: Math.floor(now()), outcome: result.outcome });
      });
      if (receipt === undefined) return;
      const accepted = claims.filter(({ outcome }) => outcome === 'accepted');
      record.receipts.push({ shopId: shop.id, receipt, begin, end, accepted: accepted.length });
      const earlier = record.claims.filter(({ shopId, outcome, end: ended }) => {
        return shopId === shop.id && outcome === 'accepted' && ended < begin;
      });
      if (random.chance(0.4)) void read(world, api, receipt, { accepted, earlier }, record);
      if (random.chance(0.4)) void readExpenses(api, shop.id, end, record);
    };
    const failed = (error: unknown): void => {
      record.open.delete(push);
      const status = error instanceof Error && 'status' in error ? error.status : undefined;
      if (status !== 503) record.violations.push(`an answer that is none: ${String(error)}`);
      const end = ++moment;
      for (const claim of claims) claim.end = end;
      again();
    };
    record.open.set(push, api.process);
    const wires = items.map(({ wire }) => wire);
    as(api.process, () => api.push(shop.id, kind, wires, validateOnly)).then(answered, failed);
  };

  for (let i = 0; i < pushes; i++) {
    const shop = random.pick(shops);
    const options: ItemOptions = { random, shop, days, orders, newTag };
    const kind = random.pick(KINDS);
    const items = Array.from({ length: kind === 'expenses' ? 1 : random.int(1, 3) }, () => NEW[kind](options));
    later(now() + random.next() * busyMs * 0.8, { shop, kind, items }, ATTEMPTS);
  }
}

const EVER = { from: 0, to: 60_000 };

interface Contained {
  /** Of the push itself. */
  accepted: readonly Claim[];
  earlier: readonly Claim[];
}

/** Reads with a receipt: what is answered must contain the push and all earlier ones of the shop that are no dead letters. */
async function read(
  world: World,
  api: Api,
  receipt: string,
  { accepted, earlier }: Contained,
  record: HistoryRecord,
): Promise<void> {
  const parsed = parseReceipt(receipt);
  const shopId = accepted[0]?.shopId ?? '';
  if (parsed === null) {
    record.violations.push(`${receipt} is no receipt`);
    return;
  }
  try {
    await api.requirePush(shopId, parsed, { range: EVER, credits: false });
  } catch {
    return; // it may be too early, or a store away
  }
  if (record.hasFailover) return;
  const refused = new Set(record.claims.flatMap(({ item, begin }) => (world.everPoisoned.has(item.key) ? begin : [])));
  const kept = earlier.filter(({ begin }) => !refused.has(begin));
  for (const { item } of [...kept, ...accepted]) {
    if (item.kind !== 'orders') continue;
    const seen = world.tables.dailyOrders.final(`${shopId}\n${item.day}`)?.seen as Map<string, bigint> | undefined;
    const version = seen?.get(item.key);
    if (version === undefined || Number(version >> 64n) < item.updatedAt) {
      record.violations.push(`${shopId} ${item.key}: a read with the receipt of ${item.tag} did not contain it`);
    }
  }
}
