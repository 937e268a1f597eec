import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { canonicalDecimal } from '../../domain/money.js';
import { sourceFile } from '../../paths.js';
import { inflated } from '../import/input.js';
import { convertOnlineRetail, type RetailOrder } from './online-retail.js';

/** What the service must report for one local day. Money is canonical. */
export interface ExpectedDay {
  date: string;
  orders: number;
  revenue: string;
  refunds: string;
}

/** The committed real month: its orders, and what its days must come to. */
export interface DemoMonth {
  orders: RetailOrder[];
  days: ExpectedDay[];
}

const MONTH = sourceFile('cli/demo/data/online-retail-2010-12');

/**
 * Reads the real month that the project carries. The money of its days was computed independently of this project
 * (`….daily.csv`); only the counts of orders are the converter's, which makes several of an invoice over 500 lines.
 */
export async function readDemoMonth(paymentGateway: string): Promise<DemoMonth> {
  const orders: RetailOrder[] = [];
  const counts = new Map<string, number>();
  for await (const order of convertOnlineRetail(inflated(createReadStream(`${MONTH}.csv.gz`)), { paymentGateway })) {
    orders.push(order);
    const day = order.placed_at.slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const [, ...lines] = (await readFile(`${MONTH}.daily.csv`, 'utf8')).trim().split('\n');
  const days = lines.map((line) => {
    const [date = '', , , revenue = '', , refunds = ''] = line.split(',');
    return {
      date,
      orders: counts.get(date) ?? 0,
      revenue: canonicalDecimal(revenue),
      refunds: canonicalDecimal(refunds),
    };
  });
  return { orders, days };
}
