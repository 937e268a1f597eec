import { hold } from './holds.js';
import type { Notes } from './notes.js';
import type { RefundedLine, Sale, SoldLine } from './sale.js';

/** Entries that a list of an item may have. */
const MAX_ENTRIES = 500;
const MAX_REFUND_LINES = 5_000;

/** Joins equal lines of an order with more than 500, and those of its refunds; holds the order when it still has more. */
export function boundLines(sale: Sale, notes: Notes): Sale {
  const { lines, refunds } = sale;
  const isLong = lines.length > MAX_ENTRIES || refunds.some((refund) => refund.lines.length > MAX_ENTRIES);
  const bounded = isLong ? merged(sale) : sale;
  if (bounded.lines.length > MAX_ENTRIES) throw tooMany('line_items', `${bounded.lines.length} different lines`);
  if (bounded.refunds.length > MAX_ENTRIES) throw tooMany('refunds', `${bounded.refunds.length} refunds`);
  const refunded = bounded.refunds.reduce((count, refund) => count + refund.lines.length, 0);
  if (refunded > MAX_REFUND_LINES) throw tooMany('refunds', `${refunded} refunded lines`);
  if (bounded.lines.length < lines.length) notes.add('equal_lines_merged');
  return bounded;
}

function tooMany(field: string, what: string) {
  return hold('too_many_lines', field, `The order has ${what}; at most ${MAX_ENTRIES} lines and refunds are taken.`);
}

function merged(sale: Sale): Sale {
  const byKey = new Map<string, SoldLine>();
  const idOf = new Map<string, string>();
  for (const line of sale.lines) {
    const { price, sku, productId, title, isFree } = line;
    const key = JSON.stringify([String(price), sku, productId, title, isFree]);
    const first = byKey.get(key);
    idOf.set(line.id, first?.id ?? line.id);
    byKey.set(key, {
      ...(first ?? line),
      quantity: (first?.quantity ?? 0n) + line.quantity,
      discount: (first?.discount ?? 0n) + line.discount,
    });
  }
  const refunds = sale.refunds.map((refund) => ({ ...refund, lines: mergedRefund(refund.lines, idOf) }));
  return { ...sale, lines: [...byKey.values()], refunds };
}

function mergedRefund(lines: readonly RefundedLine[], idOf: ReadonlyMap<string, string>): RefundedLine[] {
  const byKey = new Map<string, RefundedLine>();
  for (const { id: given, quantity, restock } of lines) {
    const id = idOf.get(given) ?? given;
    const key = `${restock} ${id}`;
    byKey.set(key, { id, restock, quantity: (byKey.get(key)?.quantity ?? 0n) + quantity });
  }
  return [...byKey.values()];
}
