import { sum, text, type shopifyOrder, type ShopifyModel } from './shopify-model.js';

type RestOrder = ReturnType<typeof shopifyOrder>['order'];
type GraphqlOrder = ReturnType<typeof graphqlOrder>;
type Line = Record<string, unknown>;

/** The forms in which the platform tells an order other than its REST API. */

const gid = (type: string, id: number): string => `gid://shopify/${type}/${id}`;
const list = (nodes: Line[]) => ({ pageInfo: { hasNextPage: false }, nodes });
/** GraphQL leaves zeros at the end out, and tells what the buyer saw too. */
const money = (amount: string) => ({
  shopMoney: { amount: amount.replace(/0$/, ''), currencyCode: 'EUR' },
  presentmentMoney: { amount: '1.0', currencyCode: 'USD' },
});

/** As the GraphQL API answers to the query of the guide. */
export function graphqlOrder(order: RestOrder, id: number) {
  return {
    id: gid('Order', id),
    createdAt: order.created_at,
    processedAt: order.processed_at,
    updatedAt: order.updated_at,
    cancelledAt: null,
    test: false,
    currencyCode: order.currency,
    displayFinancialStatus: order.financial_status.toUpperCase(),
    taxesIncluded: order.taxes_included,
    totalPriceSet: money(order.total_price),
    currentTotalPriceSet: money(order.current_total_price),
    totalTaxSet: money(order.total_tax),
    currentTotalTaxSet: money(order.current_total_tax),
    totalDiscountsSet: money(order.total_discounts),
    totalOutstandingSet: money(order.total_outstanding),
    totalTipReceivedSet: money(order.total_tip_received),
    originalTotalDutiesSet: money(order.original_total_duties_set.shop_money.amount),
    totalCashRoundingAdjustment: {
      paymentSet: money(order.total_cash_rounding_payment_adjustment_set.shop_money.amount),
      refundSet: money(order.total_cash_rounding_refund_adjustment_set.shop_money.amount),
    },
    lineItems: list(
      order.line_items.map((line) => ({
        id: gid('LineItem', line.id),
        quantity: line.quantity,
        currentQuantity: line.current_quantity,
        isGiftCard: line.gift_card,
        originalUnitPriceSet: money(line.price),
        discountAllocations: line.discount_allocations.map(({ amount }) => ({ allocatedAmountSet: money(amount) })),
        taxLines: line.tax_lines.map(({ price }) => ({ priceSet: money(price) })),
      })),
    ),
    shippingLines: list(
      order.shipping_lines.map(({ price, discount_allocations: [off] }) => ({
        id: gid('ShippingLine', 1),
        originalPriceSet: money(price),
        discountedPriceSet: money(text(cents(price) - cents(off?.amount ?? '0.00'))),
      })),
    ),
    refunds: order.refunds.map((refund) => ({
      id: gid('Refund', refund.id),
      createdAt: refund.created_at,
      refundLineItems: list(
        refund.refund_line_items.map((line) => ({
          lineItem: { id: gid('LineItem', line.line_item_id) },
          quantity: line.quantity,
          restockType: 'RETURN',
          subtotalSet: money(line.subtotal),
          totalTaxSet: money(line.total_tax),
        })),
      ),
      refundShippingLines: list(
        refund.refund_shipping_lines.map((line) => ({
          id: gid('RefundShippingLine', refund.id),
          subtotalAmountSet: money(line.subtotal_amount_set.shop_money.amount),
          taxAmountSet: money(line.tax_amount_set.shop_money.amount),
        })),
      ),
      orderAdjustments: list(
        refund.order_adjustments.map(({ amount }) => ({ reason: 'REFUND_DISCREPANCY', amountSet: money(amount) })),
      ),
      transactions: list(
        refund.transactions.map(({ of_shop }) => ({
          id: gid('OrderTransaction', refund.id),
          kind: 'REFUND',
          status: 'SUCCESS',
          gateway: 'shopify_payments',
          amountSet: money(of_shop),
        })),
      ),
    })),
  };
}

function cents(amount: string): number {
  return Number(amount.replace('.', ''));
}

/** As a bulk operation writes it: entries of lists are lines of their own after their parent, those of refunds too or not. */
export function bulkLines(
  { lineItems, shippingLines, refunds, ...order }: GraphqlOrder,
  ofRefunds: 'too' | 'not',
): string[] {
  const under = (parent: string, nodes: readonly Line[]): Line[] =>
    nodes.map((node) => ({ ...node, __parentId: parent }));
  const lines = [
    {
      ...order,
      refunds: ofRefunds === 'not' ? refunds : refunds.map(refundAlone),
    },
    ...under(order.id, lineItems.nodes),
    ...under(order.id, shippingLines.nodes),
    ...(ofRefunds === 'not' ? [] : refunds).flatMap(({ id, refundLineItems, refundShippingLines, transactions }) => [
      ...under(id, refundLineItems.nodes),
      ...under(id, refundShippingLines.nodes),
      ...under(id, transactions.nodes),
    ]),
  ];
  return lines.map((line) => JSON.stringify(line));
}

function refundAlone({
  id,
  createdAt,
  refundLineItems,
  orderAdjustments,
  transactions,
}: GraphqlOrder['refunds'][number]) {
  return {
    id,
    createdAt,
    orderAdjustments,
    // A list without entries can't be distinguished from one that was not asked for.
    ...(refundLineItems.nodes.length === 0 && { refundLineItems: [] }),
    ...(transactions.nodes.length === 0 && { transactions: [] }),
  };
}

const COLUMNS = [
  'Name',
  'Financial Status',
  'Currency',
  'Subtotal',
  'Shipping',
  'Taxes',
  'Total',
  'Discount Amount',
  'Created at',
  'Lineitem quantity',
  'Lineitem name',
  'Lineitem price',
  'Lineitem sku',
  'Cancelled at',
  'Payment Method',
  'Refunded Amount',
  'Id',
  'Duties',
  'Lineitem discount',
  'Payment References',
];

/** What an export of the admin can tell of an order: no edits, no tips, no rounding, no refund but that of a cancelled order. */
export function tellable(model: ShopifyModel): ShopifyModel {
  const lines = model.lines.map((line) => ({ ...line, removed: 0 }));
  return { ...model, lines, tips: 0, rounding: 0, refundRounding: 0, open: 0, refunds: [] };
}

/** The order of such a model as lines of the export; `cancelled`: all its money went back. */
export function csvLines(order: RestOrder, id: number, isCancelled: boolean): string[] {
  const goods = order.line_items.map((line) => ({ ...line, off: cents(line.discount_allocations[0]?.amount ?? '0') }));
  const shippingOff = cents(order.shipping_lines[0]?.discount_allocations[0]?.amount ?? '0');
  const shipping = cents(order.shipping_lines[0]?.price ?? '0') - shippingOff;
  const discounts = cents(order.total_discounts) - shippingOff;
  const net = sum(goods.map(({ price, quantity }) => cents(price) * quantity)) - discounts;
  const ofOrder: Record<string, string> = {
    'Financial Status': isCancelled ? 'refunded' : 'paid',
    Currency: order.currency,
    Subtotal: text(net),
    Shipping: text(shipping),
    Taxes: order.total_tax,
    Total: order.total_price,
    // The discount of shipping is given too, with a price that is already without it.
    'Discount Amount': order.total_discounts,
    'Cancelled at': isCancelled ? '2026-04-09 11:00:00 +0200' : '',
    'Payment Method': 'Shopify Payments',
    'Refunded Amount': isCancelled ? order.total_price : '0.00',
    Id: String(id),
    'Payment References': `c${id}.1`,
    Duties: order.original_total_duties_set.shop_money.amount,
  };
  return goods.map((line, i) =>
    rowOf({
      ...(i === 0 ? ofOrder : {}),
      Name: `#${id}`,
      'Created at': '2026-04-02 21:15:00 +0200',
      'Lineitem quantity': String(line.quantity),
      'Lineitem name': `A "thing", with\nlines`,
      'Lineitem price': line.price,
      'Lineitem sku': line.gift_card ? 'GC' : `S${i}`,
      'Lineitem discount': text(line.off),
    }),
  );
}

export const CSV_HEADER = COLUMNS.join(',');

function rowOf(row: Readonly<Record<string, string>>): string {
  return COLUMNS.map((name) => field(row[name] ?? '')).join(',');
}

function field(value: string): string {
  return value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value;
}
