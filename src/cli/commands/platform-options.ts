import type { Command } from 'commander';

/** The flags of a conversion, for every command that converts. */
export function withConversionFlags(command: Command): Command {
  return command
    .option('--count <when>', 'when an order counts: paid, or placed')
    .option('--refunds-on <day>', 'the day of a refund: refund_day, or order_day')
    .option('--restock', 'refunded goods go back on sale where the platform does not say')
    .option('--statuses <json>', 'what own statuses mean: {"shipped":"paid"}')
    .option('--gift-card-skus <json>', 'SKUs of gift cards: ["GC-50"]')
    .option('--sub-orders', "a marketplace's sub-orders count in place of their parents")
    .option('--credit-coupons <json>', 'types of coupon that are a payment: ["smart_coupon"]')
    .option('--rate <json>', 'what one unit of another currency is worth: {"currency":"EUR","value":"0.92"}');
}
