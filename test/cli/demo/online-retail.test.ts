import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CsvError } from '../../../src/cli/import/csv.js';
import { inflated } from '../../../src/cli/import/input.js';
import { convertOnlineRetail, type RetailOrder } from '../../../src/cli/demo/online-retail.js';

const ROOT = join(import.meta.dirname, '../../..');
const COMMITTED = join(ROOT, 'src/cli/demo/data/online-retail-2010-12.csv.gz');
const SHARED = join(ROOT, '../shared/data/online-retail');
const HEADING = 'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n';

interface Day {
  invoices: number;
  lines: number;
  gross: bigint;
  cancellations: number;
  refunded: bigint;
}

async function* bytesOf(...files: string[]): AsyncGenerator<Uint8Array> {
  for (const file of files) yield* inflated(createReadStream(file));
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<RetailOrder[]> {
  const orders: RetailOrder[] = [];
  for await (const order of convertOnlineRetail(bytes)) orders.push(order);
  return orders;
}

async function* rows(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(HEADING + text);
}

async function failure(bytes: AsyncIterable<Uint8Array>): Promise<Error> {
  const error: unknown = await collect(bytes).catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(Error);
  return error as Error;
}

function micros(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  expect(text).to.match(/^\d+(\.\d{1,6})?$/);
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

function dailyFile(path: string): Map<string, Day> {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [date = '', invoices, count, gross = '', cancellations, refunded = ''] = line.split(',');
      const numbers = { invoices: Number(invoices), lines: Number(count), cancellations: Number(cancellations) };
      return [date, { ...numbers, gross: micros(gross), refunded: micros(refunded) }];
    }),
  );
}

function byLocalDay(orders: RetailOrder[]): Map<string, Day> {
  const days = new Map<string, Day>();
  const invoices = new Set<string>();
  const day = (timestamp: string): Day => {
    const date = timestamp.slice(0, 10);
    const found = days.get(date) ?? { invoices: 0, lines: 0, gross: 0n, cancellations: 0, refunded: 0n };
    days.set(date, found);
    return found;
  };
  for (const order of orders) {
    const placed = day(order.placed_at);
    const invoice = order.order_id.replace(/-\d+$/, '');
    if (!invoices.has(invoice)) placed.invoices++;
    invoices.add(invoice);
    placed.lines += order.line_items.length;
    placed.gross += micros(order.total);
    for (const refund of order.refunds) {
      const refunded = day(refund.refunded_at);
      refunded.cancellations++;
      refunded.refunded += micros(refund.total);
    }
  }
  return days;
}

function expectSound(orders: RetailOrder[]): void {
  const orderIds = new Set<string>();
  const refundIds = new Set<string>();
  for (const order of orders) {
    expect(orderIds.has(order.order_id), order.order_id).to.equal(false);
    orderIds.add(order.order_id);
    expect(order.line_items.length).to.be.within(1, 500);
    const sum = order.line_items.reduce((total, l) => total + micros(l.unit_price) * BigInt(l.quantity), 0n);
    expect(micros(order.total), order.order_id).to.equal(sum);
    expect(order.placed_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    const sold = new Map(order.line_items.map((line) => [line.line_id, BigInt(line.quantity)]));
    expect(sold.size).to.equal(order.line_items.length);
    for (const refund of order.refunds) {
      expect(refundIds.has(refund.refund_id), refund.refund_id).to.equal(false);
      refundIds.add(refund.refund_id);
      expect(Date.parse(refund.refunded_at)).to.be.at.least(Date.parse(order.placed_at));
      expect(Date.parse(order.updated_at)).to.be.at.least(Date.parse(refund.refunded_at));
      for (const { line_id: lineId, quantity } of refund.line_items) {
        const left = (sold.get(lineId) ?? 0n) - BigInt(quantity);
        expect(left >= 0n, `${refund.refund_id} takes more of line ${lineId} than was sold`).to.equal(true);
        sold.set(lineId, left);
      }
    }
  }
}

describe('convertOnlineRetail', () => {
  it('equals the independent daily figures of the committed month to the last digit', async () => {
    const orders = await collect(bytesOf(COMMITTED));
    expectSound(orders);
    expect(byLocalDay(orders)).to.deep.equal(dailyFile(COMMITTED.replace('.csv.gz', '.daily.csv')));
    expect(orders).to.deep.equal(await collect(bytesOf(COMMITTED)));
  });

  if (existsSync(SHARED)) {
    it('equals the independent daily figures of all three months to the last digit', async () => {
      const orders = await collect(
        bytesOf(...['2010-12', '2011-01', '2011-02'].map((m) => join(SHARED, `${m}.csv.gz`))),
      );
      expectSound(orders);
      expect(byLocalDay(orders)).to.deep.equal(dailyFile(join(SHARED, 'daily.csv')));
    });
  }

  it('keeps exact duplicate rows, and numbers lines by their row in the invoice', async () => {
    const row = '1,A,THING,2,2011-02-01 10:00:00,0.10,,UK\n';
    const [order] = await collect(rows(`${row}1,B,FREE,1,2011-02-01 10:00:00,0.00,,UK\n${row}`));
    expect(order?.line_items.map((line) => [line.line_id, line.sku])).to.deep.equal([
      ['1', 'A'],
      ['3', 'A'],
    ]);
    expect(order?.total).to.equal('0.40');
    expect(order).not.to.have.property('customer');
  });

  it('splits an invoice of more than 500 lines', async () => {
    const row = '7,A,THING,1,2011-02-01 10:00:00,1.00,55.0,UK\n';
    const orders = await collect(rows(row.repeat(1001)));
    expect(
      orders.map((order) => [order.order_id, order.order_name, order.line_items.length, order.total]),
    ).to.deep.equal([
      ['7', '7', 500, '500.00'],
      ['7-2', '7', 500, '500.00'],
      ['7-3', '7', 1, '1.00'],
    ]);
    expect(orders[2]?.line_items[0]?.line_id).to.equal('1001');
    expect(orders[0]?.customer).to.deep.equal({ id: '55' });
  });

  it('writes the offset of the local day on both sides of a clock change', async () => {
    const text =
      '1,A,T,1,2011-03-26 10:00:00,1,,UK\n2,A,T,1,2011-03-28 10:00:00,1,,UK\nC3,A,T,-1,2011-03-29 10:00:00,1,,UK\n';
    const orders = await collect(rows(text));
    expect(orders.map((order) => order.placed_at)).to.deep.equal([
      '2011-03-26T10:00:00+00:00',
      '2011-03-28T10:00:00+01:00',
    ]);
    expect(orders[1]?.refunds[0]?.refunded_at).to.equal('2011-03-29T10:00:00+01:00');
    expect(orders[1]?.updated_at).to.equal('2011-03-29T10:00:00+01:00');
  });

  it('takes the first of two equal clock times, and the offset before the change where the clock has none', async () => {
    const times = ['2011-10-30 00:59:59', '2011-10-30 01:30:00', '2011-10-30 02:00:00', '2011-03-27 01:30:00'];
    const orders = await collect(rows(times.map((time, i) => `${i},A,T,1,${time},1,,UK\n`).join('')));
    expect(orders.map((order) => order.placed_at)).to.have.members([
      '2011-10-30T00:59:59+01:00',
      '2011-10-30T01:30:00+01:00',
      '2011-10-30T02:00:00+00:00',
      '2011-03-27T01:30:00+00:00',
    ]);
  });

  describe('attaches a cancellation', () => {
    const sales =
      '1,A,T,5,2011-02-01 10:00:00,2.00,9,UK\n2,B,T,1,2011-02-02 10:00:00,2.00,9,UK\n' +
      '3,A,T,9,2011-02-03 10:00:00,2.00,8,UK\n4,A,T,9,2011-02-09 10:00:00,2.00,9,UK\n';

    async function orderOf(cancellation: string): Promise<[string, RetailOrder['refunds'][number]] | undefined> {
      const orders = await collect(rows(sales + cancellation));
      const order = orders.find(({ refunds }) => refunds.length > 0);
      return order?.refunds[0] && [order.order_id, order.refunds[0]];
    }

    it('to the earlier order of the same customer that sold the article, never more than was sold', async () => {
      expect(await orderOf('C5,A,T,-7,2011-02-04 10:00:00,2.00,9,UK\n')).to.deep.equal([
        '1',
        {
          refund_id: 'C5',
          refunded_at: '2011-02-04T10:00:00+00:00',
          total: '14.00',
          line_items: [{ line_id: '1', quantity: '5', restock: true }],
        },
      ]);
    });

    it("else to the same customer's latest earlier order", async () => {
      const [order, refund] = (await orderOf('C5,Z,T,-1,2011-02-04 10:00:00,2.00,9,UK\n')) ?? [];
      expect([order, refund?.line_items]).to.deep.equal(['2', []]);
    });

    it('else to the latest earlier order of anyone', async () => {
      expect((await orderOf('C5,Z,T,-1,2011-02-04 10:00:00,2.00,,UK\n'))?.[0]).to.equal('3');
    });

    it('older than every order to the first order of the file', async () => {
      const [order, refund] = (await orderOf('C5,A,T,-1,2011-01-04 10:00:00,2.50,9,UK\n')) ?? [];
      expect([order, refund?.refunded_at, refund?.total]).to.deep.equal(['1', '2011-01-04T10:00:00+00:00', '2.50']);
    });
  });

  it('names the line and the column of what it cannot read', async () => {
    const cases: [string, string][] = [
      ['1,A,T,x,2011-02-01 10:00:00,1,,UK\n', 'line 2: Quantity "x" is not a whole number'],
      ['1,A,T,1,1/2/2011 10:00,1,,UK\n', 'line 2: InvoiceDate "1/2/2011 10:00" is not YYYY-MM-DD HH:MM:SS'],
      ['1,A,T,1,2011-02-01 10:00:00,1e3,,UK\n', 'line 2: UnitPrice "1e3" is not a decimal of at most 6 places'],
      ['1,A\n', 'line 2: column InvoiceDate is missing'],
    ];
    for (const [text, message] of cases) {
      const error = await failure(rows(text));
      expect(error).to.be.instanceOf(CsvError);
      expect(error.message).to.equal(message);
    }
    const onlyCancelled = await failure(rows('C1,A,T,-1,2011-02-01 10:00:00,1,,UK\n'));
    expect(onlyCancelled.message).to.contain('C1 has no order to go to');
  });
});
