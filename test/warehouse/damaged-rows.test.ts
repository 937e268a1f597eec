import { expect } from 'chai';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import type { IngestHeader } from '../../src/domain/ingest.js';
import { localDayIn } from '../../src/domain/zones/local-day.js';
import { isDataError } from '../../src/warehouse/failures.js';
import { writeIngestLog } from '../../src/warehouse/queries/ingest-log.js';
import { createOrderEncoder, ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';
import { insertRows } from '../../src/warehouse/insert-rows.js';
import { createOrders, createRandom } from '../support/generated-orders.js';
import { startService } from '../support/service.js';

describe('damaged rows', () => {
  it('are told from a store that is away, wherever the damage is', async () => {
    const service = await startService({ workers: false });
    const { warehouse } = service.stores;
    const random = createRandom(1);
    const next = createOrders(1);
    const orders = Array.from({ length: 20 }, () => next() as unknown as OrderInput);
    const encoder = createOrderEncoder();
    encoder.begin('damaged', localDayIn('UTC'));
    for (const order of orders) encoder.add(order);
    const rows = encoder.rows(
      orders.map(() => true),
      1,
    );
    const taken: string[] = [];
    for (let i = 0; i < 400; i++) {
      const [table, head, whole] =
        i % 2 === 0
          ? (['orders', ORDERS_HEAD, rows.orders] as const)
          : (['order_days', ORDER_DAYS_HEAD, rows.orderDays] as const);
      const at = Math.floor(random() * whole.length);
      const noise = Buffer.from(Array.from({ length: 1 + (i % 9) }, () => Math.floor(random() * 256)));
      const damaged = Buffer.concat([whole.subarray(0, at), noise, whole.subarray(at)]);
      const failure: unknown = await insertRows(warehouse, table, [{ head, rows: damaged }]).catch(
        (error: unknown) => error,
      );
      if (failure === undefined) taken.push(`${at}`);
      else expect(isDataError(failure), (failure as Error).message).to.equal(true);
    }
    expect(taken.length).to.be.lessThan(10); // noise that happens to be rows
    await service.stop();
  });

  it('of the ingest log as well, whatever stands in them', async () => {
    const service = await startService({ workers: false });
    const header = {
      shop_id: 'damaged',
      kind: 'orders',
      batch_id: 'b',
      received_at: 1_772_323_200_000,
      accepted: 1,
      rejected: 1,
      superseded: 0,
      errors: [{ code: 'unknown_field', count: 1, sample: 's' }],
    };
    const odd = ['\ud83d', '\ud83dx', '\ude00', '\u0000', 'x', '', '9'.repeat(400), {}, { a: [] }, [], [[1]], [{}], null, true, -1, 1.5, 1e300]; // prettier-ignore
    let failures = 0;
    for (const value of odd) {
      const [error] = header.errors;
      const damaged = [
        ...Object.keys(header).map((name) => ({ ...header, [name]: value })),
        ...Object.keys(error ?? {}).map((name) => ({ ...header, errors: [{ ...error, [name]: value }] })),
      ];
      for (const one of damaged) {
        if (!Array.isArray(one.errors)) continue;
        const failure: unknown = await writeIngestLog(service.stores, [one as unknown as IngestHeader]).catch(
          (reason: unknown) => reason,
        );
        if (failure === undefined) continue;
        failures++;
        const isAtFault = isDataError(failure) || failure instanceof RangeError;
        expect(isAtFault, `${JSON.stringify(one)}: ${(failure as Error).message}`).to.equal(true);
      }
    }
    expect(failures).to.be.greaterThan(30);
    await service.stop();
  });
});
