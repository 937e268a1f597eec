import { gatewayKey } from '../domain/costs/gateway-keys.js';
import { countErrors, type IngestHeader, type Sender } from '../domain/ingest.js';
import type { OrderRuleContext } from '../domain/orders/order-rules.js';
import { orderWarnings } from '../domain/orders/order-warnings.js';
import { orderVersion, type OrderInput, type VersionOf } from '../domain/orders/orders.js';
import type { SourceRecord } from '../domain/source.js';
import { localDayIn } from '../domain/zones/local-day.js';
import { queueOutOfReach, unavailable } from '../errors.js';
import type { ClaimedOrders } from '../queue/jobs.js';
import type { ShopNames } from '../repositories/shop-names.js';
import type { SourceRegistry } from '../repositories/sources.js';
import type { OrderBatchResult } from '../schemas/orders.js';
import type { OrderVersions, Reservation, VersionClaim } from '../redis/order-versions.js';
import { createOrderEncoder, type OrderEncoder } from '../warehouse/columns/orders.js';
import type { NewestVersions } from '../warehouse/queries/settle-orders.js';
import { newBatchId, receiptOf, senderFields, suppliedId } from './batch.js';
import { checkItems } from './check.js';
import type { OrderCommit } from './order-commit.js';
import type { Items } from '../body/items.js';
import { faultsOf, toResult, type CheckedOrder } from './order-results.js';
import { convertedItems, type OrderPlatform } from './platform-orders.js';
import type { OpenRejections, RejectedItems } from './rejections.js';
import type { Yielder } from '../body/yielding.js';

export interface OrderIntakeDeps {
  sources: SourceRegistry;
  gateways: ShopNames;
  versions: OrderVersions;
  newestVersions: NewestVersions;
  commit: OrderCommit;
  openRejections: OpenRejections;
  now: () => number;
}

/**
 * Takes one push of orders: checks every item, decides its outcome against all earlier pushes (also those still in the
 * queue, and those of the same batch), and puts what is accepted into the durable queue. Resolves only once it is there.
 * Throws `source_not_registered`, `queue_unavailable` and `invalid_json`; with `validateOnly` nothing is stored. With `platform` the items
 * are orders as that platform has them, which are converted first.
 *
 * The items are parsed again when the push has to be checked again. Keeping the parsed items of all requests while they
 * wait for Redis would take most of the memory of the process.
 */
export type TakeOrders = (sender: Sender, items: Items, options: TakeOptions) => Promise<OrderBatchResult>;

interface TakeOptions {
  validateOnly: boolean;
  yielder: Yielder;
  platform?: OrderPlatform | undefined;
  /** Absent: as the order says. */
  versionOf?: VersionOf | undefined;
}

/** How many encoders are reused, and how large one may have grown. */
const MAX_ENCODERS = 16;
const MAX_ENCODER_BYTES = 512 * 1024;

/** How often a push is checked again because its source was edited meanwhile; past it the client must send it again. */
const MAX_ATTEMPTS = 5;

export function createOrderIntake(deps: OrderIntakeDeps): TakeOrders {
  const { sources, gateways, versions, newestVersions, commit, openRejections, now } = deps;
  const encoders: OrderEncoder[] = [];

  return async (sender, items, options) => {
    const batchId = newBatchId(now());
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const encoder = encoders.pop() ?? createOrderEncoder();
      try {
        const work: Work = { ...options, sender, batchId, items, encoder };
        const result = await take(work, await prepare(work, attempt > 0));
        if (result !== null) return result;
      } finally {
        if (encoders.length < MAX_ENCODERS && encoder.size() <= MAX_ENCODER_BYTES) encoders.push(encoder);
      }
    }
    throw unavailable('store_unavailable', 'The source was being edited; send the request again.');
  };

  /** Checks all items: again with the source of now where its currency is in doubt, and where the shop has too many gateways. */
  async function prepare(work: Work, isRetry: boolean): Promise<Push> {
    let fresh = isRetry;
    let push = await check(work, { fresh });
    // The currency may have been changed through another process.
    const isDoubtful = push.checked.some(({ errors }) => errors.some(({ code }) => code === 'currency_mismatch'));
    if (isDoubtful && !fresh) push = await check(work, { fresh: (fresh = true) });
    const refused = await gateways.admit(push.source.shopId, push.gateways, { dryRun: work.validateOnly });
    return refused.size === 0 ? push : check(work, { fresh, refused });
  }

  async function check(
    work: Work,
    { fresh, refused }: { fresh: boolean; refused?: ReadonlySet<string> },
  ): Promise<Push> {
    const { sender, yielder, encoder, platform, versionOf = orderVersion } = work;
    const { shopId } = sender;
    const source = await sources.require(shopId, { fresh });
    const push: Push = {
      source,
      checked: [],
      rejections: openRejections(sender, 'orders'),
      claims: [],
      warnings: [],
      checkouts: new Set(),
      gateways: new Set(),
    };
    const items = platform === undefined ? work.items : convertedItems(work.items, platform, source);
    const context: OrderRuleContext = { currency: source.currency, nowMicros: now() * 1000 };
    encoder.begin(shopId, localDayIn(source.timezone));
    const faults = (item: unknown, limit: number) => faultsOf(item, context, refused, limit);
    await checkItems(items, yielder, faults, (item, errors) => {
      const orderId = suppliedId(item, 'order_id');
      if (errors.length > 0) {
        const position = push.checked.push({ orderId, errors, warnings: [] }) - 1;
        push.rejections.add(position, orderId, item, errors);
        return;
      }
      const order = item as OrderInput;
      const warnings = orderWarnings(order);
      push.checked.push({ orderId, errors, warnings });
      if (order.payment_gateway !== undefined) push.gateways.add(gatewayKey(order.payment_gateway));
      const version = versionOf(order);
      encoder.add(order, version, warnings);
      for (const { code } of warnings) push.warnings.push([push.claims.length, code]);
      push.claims.push({ orderId: order.order_id, updatedAt: version });
      if (order.checkout_token !== undefined) push.checkouts.add(order.checkout_token);
    });
    return push;
  }

  /** Reserves the versions of a push and puts it into the queue; null: its source was edited meanwhile. */
  async function take(work: Work, push: Push): Promise<OrderBatchResult | null> {
    const reservation = await reserve(work, push);
    if (reservation.kind !== 'reserved') return null;
    const { batchId, validateOnly } = work;
    const result = toResult(push.checked, reservation.accepted);
    if (validateOnly) return result;
    await push.rejections.keep(batchId);
    const { results, ...counts } = result;
    return { ...counts, ...receiptOf(batchId, result.accepted), results };
  }

  /** Gives what of the push was accepted, and is in the queue then; asks the warehouse where Redis cannot tell. */
  async function reserve(work: Work, push: Push): Promise<Reservation> {
    const { claims, source } = push;
    const ask = (list: readonly VersionClaim[]): Promise<Reservation> =>
      work.validateOnly ? decide(work, push, list) : enqueue(work, push, list);
    const first = await ask(claims);
    if (first.kind !== 'unknown') return first;
    const unknown = new Set(first.indexes.flatMap((i) => claims[i]?.orderId ?? []));
    // With the warehouse away the outcome is decided on what Redis knows; the warehouse settles on the newest later.
    const stored = await newestVersions(source.shopId, [...unknown]).catch(() => undefined);
    const lookedUp = ({ orderId }: VersionClaim) =>
      unknown.has(orderId) && { stored: stored === undefined ? ('unknown' as const) : (stored.get(orderId) ?? null) };
    return ask(claims.map((claim) => ({ ...claim, ...lookedUp(claim) })));
  }

  /** Changes nothing. */
  async function decide(work: Work, push: Push, claims: readonly VersionClaim[]): Promise<Reservation> {
    if (claims.length === 0) return NOTHING;
    try {
      return await versions.reserve({ ...claimOf(work.batchId, push, claims, now()), jobKey: '', dryRun: true });
    } catch (error) {
      throw queueOutOfReach(error);
    }
  }

  function enqueue(work: Work, push: Push, claims: readonly VersionClaim[]): Promise<Reservation> {
    const { batchId, sender, encoder } = work;
    const { source, checked, checkouts, warnings } = push;
    const header: IngestHeader = {
      shop_id: source.shopId,
      kind: 'orders',
      batch_id: batchId,
      received_at: now(),
      accepted: 0,
      rejected: checked.length - claims.length,
      superseded: 0,
      errors: countErrors(checked.map(({ errors }) => errors)),
      ...senderFields(sender),
    };
    const order_ids = claims.map(({ orderId }) => orderId);
    const rows = encoder.unstamped();
    return commit.add(
      { header, order_ids, checkouts: [...checkouts], warnings, claim: claimOf(batchId, push, claims, now()) },
      [rows.orders, rows.orderDays],
      claims.length,
    );
  }
}

const claimOf = (batchId: string, { source }: Push, claims: readonly VersionClaim[], nowMs: number) => ({
  shopId: source.shopId,
  batchId,
  sourceRevision: source.revision,
  nowMs,
  claims,
});

/** A push on its way. */
interface Work extends TakeOptions {
  sender: Sender;
  batchId: string;
  items: Items;
  encoder: OrderEncoder;
}

/** A push that was checked and encoded; of its parsed items nothing is left. */
interface Push {
  source: SourceRecord;
  checked: CheckedOrder[];
  rejections: RejectedItems;
  /** Of the valid items, in their order. */
  claims: VersionClaim[];
  /** Of the valid items. */
  warnings: ClaimedOrders['warnings'];
  /** Checkout tokens of the valid items. */
  checkouts: Set<string>;
  /** Keys of their payment gateways. */
  gateways: Set<string>;
}

const NOTHING: Reservation = { kind: 'reserved', accepted: [], stamp: 0, lockedSource: false };
