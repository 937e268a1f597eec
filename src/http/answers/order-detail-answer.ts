import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { canonicalDecimal, formatDecimal, ZERO } from '../../domain/money.js';
import { accountOf, type OrderAccount, type UnitCost } from '../../domain/orders/order-account.js';
import { feeOf, NO_AMOUNTS, toOrderFigures, whyNotCounted } from '../../domain/orders/order-figures.js';
import { orderWarnings } from '../../domain/orders/order-warnings.js';
import { formatDay, formatTimestamp } from '../../domain/time.js';
import type { CostSource, OrderDetail } from '../../schemas/order-detail.js';
import { isDecimal, type StoredOrder } from '../../warehouse/columns/stored-order.js';
import type { FoundOrder } from '../../warehouse/queries/order-detail.js';

/** Most touches in one answer; no real customer has as many. */
const MAX_TOUCHES = 100;

/** An order with all that explains its figures. */
export function toDetail(
  { order: { version: _version, gateway, ...order }, ...found }: FoundOrder,
  rules: readonly GatewayFeeRule[],
): OrderDetail {
  const { catalog, channel, touches, written } = found;
  const { day, received_at, line_items, refunds, ...sent } = order;
  const why = whyNotCounted(order);
  const counted = why === undefined;
  const warnings = orderWarnings(order);
  const { fee, source } = feeOf({ ...order, gateway }, rules);
  const account = accountOf(order, fee, catalog);
  const { refunds: refunded, ...figures } = toOrderFigures(counted ? account.total : NO_AMOUNTS);
  return {
    ...toAmounts(sent),
    day: formatDay(day),
    counted,
    ...(!counted && { why_not: why }),
    ...figures,
    refunded,
    cogs_complete: !counted || line_items.every(({ line_id }) => account.unitCosts.has(line_id)),
    fee_source: counted ? source : 'none',
    channel,
    received_at: formatTimestamp(received_at),
    line_items: line_items.map((line) => toLine(line, account)),
    refunds: refunds.map((refund) => toRefund(refund, account)),
    touches: touches
      .slice(-MAX_TOUCHES)
      .map((touch) => ({ at: formatTimestamp(touch.at * 1000), channel: touch.channel, evidence: touch.evidence })),
    days: counted ? account.days.map(([day, amounts]) => ({ date: formatDay(day), ...toOrderFigures(amounts) })) : [],
    ...(warnings.length > 0 && { warnings }),
    written: written && {
      batch_id: written.batchId,
      receipt: written.batchId,
      key_last4: written.keyLast4,
      request_id: written.requestId,
    },
  };
}

/** Amounts and quantities in their canonical form, the rest as it is. */
function toAmounts<Fields extends object>(fields: Fields): Fields {
  const canonical = ([name, value]: [string, unknown]) => [
    name,
    isDecimal(name) ? canonicalDecimal(String(value)) : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(canonical)) as Fields;
}

function toLine(
  { unit_cost: _own, ...line }: StoredOrder['line_items'][number],
  { unitCosts, costOf }: OrderAccount,
): OrderDetail['line_items'][number] {
  const unitCost = unitCosts.get(line.line_id);
  return {
    ...toAmounts({ ...line, ...(unitCost && { unit_cost: unitCost.amount }) }),
    cost: formatDecimal(costOf(line)),
    cost_source: toCostSource(unitCost),
  };
}

function toCostSource(unitCost: UnitCost | undefined): CostSource {
  if (unitCost === undefined) return { from: 'unknown' };
  if (unitCost.from === 'line') return { from: 'line' };
  const { since = null } = unitCost;
  return { from: 'catalog', effective_from: since === null ? null : formatDay(since) };
}

function toRefund(
  { day, line_items, ...refund }: StoredOrder['refunds'][number],
  { costOf }: OrderAccount,
): OrderDetail['refunds'][number] {
  return {
    ...toAmounts(refund),
    day: formatDay(day),
    line_items: line_items.map((line) => ({
      ...toAmounts(line),
      cost: formatDecimal(line.restock ? costOf(line) : ZERO),
    })),
  };
}
