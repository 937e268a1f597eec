import type { Fraction } from '../../domain/money.js';

/** A line of a sale; `left` is how many pieces no refund has taken back yet. */
export interface SaleLine {
  lineId: string;
  quantity: bigint;
  left: bigint;
  price: Fraction;
  sku: string;
  title: string;
}

/** A sale (one order to be) and the refunds that were attached to it. */
export interface Sale {
  orderId: string;
  name: string;
  iso: string;
  millis: number;
  customer: string;
  lines: SaleLine[];
  refunds: Refund[];
}

/** A cancellation as the file has it: it names a customer (perhaps) and articles, but no order. */
export interface Cancellation {
  refundId: string;
  iso: string;
  millis: number;
  customer: string;
  net: Fraction;
  articles: Map<string, bigint>;
}

interface Refund {
  refundId: string;
  iso: string;
  millis: number;
  /** Of the cancellation: mostly below zero. */
  net: Fraction;
  lines: { lineId: string; quantity: bigint }[];
}

/**
 * Attaches every cancellation to a sale as a refund, in order of time; `convertOnlineRetail` says by which rule.
 *
 * @param sales in order of time; their `refunds` and the `left` of their lines are filled in place
 * @throws Error when there are cancellations but no sale at all
 */
export function attachCancellations(sales: Sale[], cancellations: Cancellation[]): void {
  const byCustomer = new Map<string, Sale[]>();
  for (const sale of sales) {
    const own = byCustomer.get(sale.customer);
    if (own) own.push(sale);
    else byCustomer.set(sale.customer, [sale]);
  }
  for (const cancellation of [...cancellations].sort((a, b) => a.millis - b.millis)) {
    const { refundId, iso, millis, net } = cancellation;
    const sale = choose(cancellation, sales, byCustomer);
    if (!sale) throw new Error(`cancellation ${refundId} has no order to go to: the file holds no sale`);
    sale.refunds.push({ refundId, iso, millis, net, lines: takeBack(sale, cancellation.articles) });
  }
}

function choose(cancellation: Cancellation, sales: Sale[], byCustomer: Map<string, Sale[]>): Sale | undefined {
  const own = cancellation.customer === '' ? [] : (byCustomer.get(cancellation.customer) ?? []);
  let best: Sale | undefined;
  let mostPieces = 0n;
  for (const sale of own) {
    if (sale.millis > cancellation.millis) break;
    const pieces = piecesOf(sale, cancellation.articles);
    if (pieces < mostPieces) continue;
    mostPieces = pieces;
    best = sale;
  }
  return best ?? latestBefore(sales, cancellation.millis) ?? sales[0];
}

function piecesOf(sale: Sale, articles: Map<string, bigint>): bigint {
  let pieces = 0n;
  for (const [sku, wanted] of articles) {
    let left = 0n;
    for (const line of sale.lines) if (line.sku === sku) left += line.left;
    pieces += left < wanted ? left : wanted;
  }
  return pieces;
}

function latestBefore(sales: Sale[], millis: number): Sale | undefined {
  let low = 0;
  let high = sales.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sales[middle]?.millis ?? 0) <= millis) low = middle + 1;
    else high = middle;
  }
  return sales[low - 1];
}

function takeBack(sale: Sale, articles: Map<string, bigint>): Refund['lines'] {
  const lines: Refund['lines'] = [];
  for (const [sku, wanted] of articles) {
    let open = wanted;
    for (const line of sale.lines) {
      if (line.sku !== sku || line.left === 0n || open === 0n) continue;
      const quantity = line.left < open ? line.left : open;
      line.left -= quantity;
      open -= quantity;
      lines.push({ lineId: line.lineId, quantity });
    }
  }
  return lines;
}
