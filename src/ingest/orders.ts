import { gatewayKey } from '../domain/costs/gateway-keys.js';
import { countErrors, countWarnings, type IngestHeader, type Sender } from '../domain/ingest.js';
import type { OrderRuleContext } from '../domain/orders/order-rules.js';
import { orderWarnings } from '../domain/orders/order-warnings.js';
import { orderVersion, STAMPS_OF_ORDER, type OrderInput, type VersionOf } from '../domain/orders/orders.js';
import type { SourceRecord } from '../domain/source.js';
import { localDayIn } from '../domain/zones/local-day.js';
import { queueOutOfReach, unavailable } from '../errors.js';
import type { OrdersPush } from '../queue/jobs.js';
import type { ShopNames } from '../repositories/shop-names.js';
import type { SourceRegistry } from '../repositories/sources.js';
import type { OrderBatchResult } from '../schemas/orders.js';
import type { OrderVersions, Reservation, VersionClaim } from '../redis/order-versions.js';
import { createOrderEncoder, type OrderEncoder } from '../warehouse/columns/orders.js';
import type { NewestVersions } from '../warehouse/queries/settle-orders.js';
import { newBatchId, receiptOf, senderFields, suppliedId } from './batch.js';
import { checkItems } from './check.js';
import type { GroupCommit, Slot } from './group-commit.js';
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
  commit: GroupCommit<OrdersPush>;
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
      push.claims.push({ orderId: order.order_id, updatedAt: version });
      if (order.checkout_token !== undefined) push.checkouts.add(order.checkout_token);
    });
    return push;
  }

  /** Reserves the versions of a push and puts it into the queue; null: its source was edited meanwhile. */
  async function take(work: Work, push: Push): Promise<OrderBatchResult | null> {
    const { sender, batchId, encoder } = work;
    const load = { rows: push.claims.length, bytes: encoder.size() };
    const openSlot = work.validateOnly ? null : () => commit.openSlot(sender.shopId, load);
    const { reservation, slot } = await reserve(push, batchId, openSlot);
    try {
      if (reservation.kind !== 'reserved') return null;
      const result = toResult(push.checked, reservation.accepted);
      if (slot === null) return result;
      await enqueue(work, push, result, reservation, slot);
      const { results, ...counts } = result;
      return { ...counts, ...receiptOf(batchId, result.accepted), results };
    } finally {
      slot?.release();
    }
  }

  /** @param openSlot opens a slot in the job that the reservation names; null: nothing is changed */
  async function reserve({ source, claims }: Push, batchId: string, openSlot: OpenSlot | null): Promise<Reserved> {
    if (claims.length === 0) return { reservation: NOTHING, slot: openSlot?.() ?? null };
    const { shopId, revision: sourceRevision } = source;
    // A job waits for its open slots, so none is held while the warehouse is asked.
    const ask = async (list: readonly VersionClaim[]): Promise<Reserved> => {
      const slot = openSlot?.() ?? null;
      const request = {
        shopId,
        batchId,
        jobKey: slot?.jobKey ?? '',
        sourceRevision,
        nowMs: now(),
        dryRun: slot === null,
      };
      try {
        const reservation = await versions.reserve({ ...request, claims: list });
        if (reservation.kind !== 'reserved') slot?.release();
        return { reservation, slot };
      } catch (error) {
        slot?.release();
        throw queueOutOfReach(error);
      }
    };
    const first = await ask(claims);
    if (first.reservation.kind !== 'unknown') return first;
    const unknown = new Set(first.reservation.indexes.flatMap((i) => claims[i]?.orderId ?? []));
    // With the warehouse away the outcome is decided on what Redis knows; the warehouse settles on the newest later.
    const stored = await newestVersions(shopId, [...unknown]).catch(() => new Map<string, number>());
    const lookedUp = ({ orderId }: VersionClaim) => unknown.has(orderId) && { stored: stored.get(orderId) ?? null };
    return ask(claims.map((claim) => ({ ...claim, ...lookedUp(claim) })));
  }

  async function enqueue(
    { batchId, sender, encoder }: Work,
    { source, checked, rejections, claims, checkouts }: Push,
    { accepted, rejected, superseded, results }: OrderBatchResult,
    reservation: Reservation & { kind: 'reserved' },
    slot: Slot<OrdersPush>,
  ): Promise<void> {
    const header: IngestHeader = {
      shop_id: source.shopId,
      kind: 'orders',
      batch_id: batchId,
      received_at: now(),
      accepted,
      rejected,
      superseded,
      errors: [
        ...countErrors(checked.map(({ errors }) => errors)),
        ...countWarnings(results.map(({ warnings = [] }) => warnings)),
      ],
      // Order `i` of the claims has the stamp `first + STAMPS_OF_ORDER * i`.
      ...(accepted > 0 && {
        first_stamp: reservation.stamp,
        last_stamp: reservation.stamp + STAMPS_OF_ORDER * (claims.length - 1),
      }),
      ...senderFields(sender),
    };
    const rows = encoder.rows(reservation.accepted, reservation.stamp);
    const taken = claims.filter((_, i) => reservation.accepted[i] === true);
    const order_ids = [...new Set(taken.map(({ orderId }) => orderId))];
    try {
      const queued = slot.commit({ header, order_ids, checkouts: [...checkouts] }, [rows.orders, rows.orderDays]);
      await Promise.all([queued, rejections.keep(batchId)]);
    } catch (error) {
      await versions.release(batchId, now()).catch(() => undefined); // else the sweep ends it
      throw error;
    }
  }
}

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
  /** Checkout tokens of the valid items. */
  checkouts: Set<string>;
  /** Keys of their payment gateways. */
  gateways: Set<string>;
}

type OpenSlot = () => Slot<OrdersPush>;

interface Reserved {
  reservation: Reservation;
  /** Held where something is to be stored. */
  slot: Slot<OrdersPush> | null;
}

const NOTHING: Reservation = { kind: 'reserved', accepted: [], stamp: 0, lockedSource: false };
