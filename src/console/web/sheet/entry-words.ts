import type { Contribution } from '../../../schemas/contributions.js';
import { formatDay } from '../shared/days.js';
import { formatExactMoney, formatQuantity } from '../shared/money.js';

export const KINDS: Readonly<Record<Contribution['kind'], string>> = {
  sale: 'Sale',
  refund: 'Refund',
  line_cost: 'Product cost',
  restock: 'Back in stock',
  fee_actual: 'Payment fee',
  fee_refund: 'Refunded fee',
  fee_estimate: 'Estimated fee',
  spend: 'Ads',
  expense: 'Expense',
  gross_sale: 'Goods at their price',
  line_discount: 'Discount of a line',
  order_discount: 'Discount of the order',
  shipping: 'Shipping paid',
  tip: 'Tip',
  duty: 'Duties',
  order_rounding: 'Rounding of the order',
  tax_added: 'Tax on top of prices',
  tax: 'Tax',
  tax_refund: 'Refunded tax',
  fulfillment: 'Packing and shipping',
  rounding: 'Rounding',
};

/** The article, channel, rule or expense of an entry, and how its amount comes about. */
export function subjectOf({ kind, source, ...entry }: Contribution, currency: string): string {
  const { quantity, unit_cost: cost } = entry;
  const texts = [
    entry.sku,
    quantity !== undefined && cost !== undefined && `${formatQuantity(quantity)} × ${formatExactMoney(cost, currency)}`,
    source.from === 'catalog' && catalogVersion(source.effective_from),
    kind === 'fee_estimate' && `${source.payment_gateway}: ${source.percent}% + ${source.fixed}`,
    kind === 'spend' && entry.channel,
    source.campaign_id !== undefined && `Campaign ${source.campaign_id}`,
    source.name,
  ];
  return texts.filter((text) => typeof text === 'string').join(' · ');
}

function catalogVersion(day: string | null | undefined): string {
  return day == null ? 'cost list' : `cost list from ${formatDay(day)}`;
}
