import { Big } from 'big.js';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { LineInput, OrderInput, RefundInput } from '../../src/domain/orders/orders.js';

/** Zones whose days differ most from UTC's, with clock changes around midnight and half-hour offsets. */
export const ZONES = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'America/St_Johns',
] as const;

const START = Date.UTC(2025, 2, 1);
const SPAN_MS = 300 * 86_400_000;

const decimal = (max: number, digits: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** digits }).map((value) =>
    Big(value)
      .div(10 ** digits)
      .toFixed(),
  );

const timestamp: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 0, max: SPAN_MS }), fc.constantFrom(0, -300, 345, 720, -210))
  .map(([offset, zone]) => DateTime.fromMillis(START + offset, { zone: `UTC${formatOffset(zone)}` }).toISO() ?? '');

function formatOffset(minutes: number): string {
  const sign = minutes < 0 ? '-' : '+';
  const abs = Math.abs(minutes);
  return `${sign}${Math.floor(abs / 60)}:${String(abs % 60).padStart(2, '0')}`;
}

const line = (index: number): fc.Arbitrary<LineInput> =>
  fc
    .record({
      quantity: decimal(5, 3),
      unit_price: decimal(300, 6),
      unit_cost: fc.option(decimal(200, 6), { nil: undefined }),
    })
    .map(({ unit_cost, ...rest }) => ({
      line_id: `l${index}`,
      ...rest,
      ...(unit_cost !== undefined && { unit_cost }),
    }));

const refund = (index: number, lines: readonly LineInput[]): fc.Arbitrary<RefundInput> =>
  fc.record({
    refund_id: fc.constant(`r${index}`),
    refunded_at: timestamp,
    total: decimal(100, 6),
    gateway_fee_refund: decimal(2, 6),
    line_items: fc
      .subarray([...lines])
      .chain((returned) =>
        fc.tuple(
          ...returned.map(({ line_id }) =>
            fc.record({ line_id: fc.constant(line_id), quantity: decimal(3, 2), restock: fc.boolean() }),
          ),
        ),
      ),
  });

/** One version of an order whose sum identity holds: the lines' excess over six decimals goes into quantity 1 lines. */
export function orderVersionArbitrary(orderId: string, updatedAt: string): fc.Arbitrary<OrderInput> {
  return fc
    .integer({ min: 1, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => line(i))))
    .chain((lines) =>
      fc.record({
        lines: fc.constant(lines),
        placed_at: timestamp,
        status: fc.constantFrom('paid', 'paid', 'paid', 'pending', 'voided' as const),
        is_test: fc.boolean().map((value) => value && lines.length === 3),
        deleted: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
        shipping: decimal(20, 6),
        fee: fc.option(decimal(5, 6), { nil: undefined }),
        refunds: fc
          .integer({ min: 0, max: 2 })
          .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => refund(i, lines)))),
      }),
    )
    .map(({ lines, placed_at, status, is_test, deleted, shipping, fee, refunds }): OrderInput => {
      const items = lines.map((item) => ({ ...item, unit_price: Big(item.unit_price).round(3).toFixed() }));
      const products = items.reduce((sum, item) => sum.plus(Big(item.unit_price).times(item.quantity)), Big(0));
      return {
        order_id: orderId,
        placed_at,
        updated_at: updatedAt,
        currency: 'EUR',
        status,
        is_test,
        deleted,
        line_items: items,
        shipping,
        total: products.plus(shipping).toFixed(),
        ...(fee !== undefined && { gateway_fee: fee }),
        refunds: [...refunds],
      };
    });
}

export interface History {
  zone: (typeof ZONES)[number];
  /** Pushes in the order in which they are sent; versions of one order come in any order, and some twice. */
  pushes: OrderInput[];
  /** Sizes of the batches, repeated as needed. */
  batchSizes: number[];
}

/** Orders with several versions each, shuffled, with repeats. */
export const historyArbitrary: fc.Arbitrary<History> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    versions: fc
      .array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 15 })
      .chain((counts) =>
        fc.tuple(
          ...counts.flatMap((count, order) =>
            Array.from({ length: count }, (_, version) =>
              orderVersionArbitrary(`o-${order}`, new Date(START + SPAN_MS + version * 1000).toISOString()),
            ),
          ),
        ),
      ),
    batchSizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
    repeats: fc.nat({ max: 5 }),
  })
  .chain(({ zone, versions, batchSizes, repeats }) => {
    const pushes = [...versions, ...versions.slice(0, repeats)];
    return fc
      .shuffledSubarray(pushes, { minLength: pushes.length, maxLength: pushes.length })
      .map((shuffled) => ({ zone, pushes: shuffled, batchSizes }));
  });

/** The pushes of a history cut into batches. */
export function batchesOf({ pushes, batchSizes }: History): OrderInput[][] {
  const batches: OrderInput[][] = [];
  for (let i = 0, b = 0; i < pushes.length; b++) {
    const size = batchSizes[b % batchSizes.length] ?? 1;
    batches.push(pushes.slice(i, i + size));
    i += size;
  }
  return batches;
}
