import { formatMoney, total } from '../amounts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ShopifySale } from './shopify-sale.js';
import { netOf } from './lines.js';
import type { ShopifyRefund } from './refunds.js';

/** A sold gift card is owed and not earned: its line is left out, with its tax and its refunds. */
export function leaveOutGiftCards(sale: ShopifySale, notes: Notes): ShopifySale {
  const cards = sale.lines.filter((line) => line.isGiftCard);
  if (cards.length === 0) return sale;
  const lines = sale.lines.filter((line) => !line.isGiftCard);
  if (lines.length === 0) {
    throw hold('gift_card_sale', 'line_items', 'Only a gift card was sold: it is owed and not earned.');
  }
  notes.add('gift_card_line_left_out');
  const tax = total(cards.map((card) => card.tax));
  const ids = new Set(cards.map(({ id }) => id));
  return {
    ...sale,
    lines,
    tax: sale.tax - tax,
    total: sale.total - total(cards.map(netOf)) - (sale.taxesIncluded ? 0n : tax),
    refunds: sale.refunds.map((refund) => withoutCards(refund, ids)),
  };
}

function withoutCards(refund: ShopifyRefund, cards: ReadonlySet<string>): ShopifyRefund {
  const lines = refund.lines.filter(({ id }) => !cards.has(id));
  if (lines.length === refund.lines.length) return refund;
  const left = [...refund.ofLine].filter(([id]) => cards.has(id)).map(([, one]) => one);
  const value = total(left.map((one) => one.value));
  if (refund.total > 0n && refund.total < value) {
    const kept = formatMoney(value - refund.total);
    throw hold('unbalanced', 'refunds', `Of a refunded gift card ${kept} was kept: what that was for is not told.`);
  }
  const rest = refund.total > value ? refund.total - value : 0n;
  return {
    ...refund,
    lines,
    total: rest,
    tax: refund.tax - total(left.map((one) => one.tax)),
    value: refund.value - value,
    giftCard: refund.giftCard < rest ? refund.giftCard : rest,
  };
}
