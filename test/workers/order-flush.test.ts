import { expect } from 'chai';
import type { IngestHeader } from '../../src/domain/ingest.js';
import { OCCASION } from '../../src/domain/orders/orders.js';
import { localDayIn } from '../../src/domain/zones/local-day.js';
import {
  JOB_SCHEMA,
  RESERVED_SCHEMA,
  type ClaimedOrders,
  type GroupJob,
  type OrdersPush,
} from '../../src/queue/jobs.js';
import { readJob } from '../../src/queue/read-job.js';
import { packSegments } from '../../src/queue/segments.js';
import { createRebuildQueues } from '../../src/redis/rebuild-queues.js';
import { createDroppedNames } from '../../src/redis/dropped-names.js';
import { createRebuildQueue } from '../../src/redis/rebuild-queue.js';
import { createOrderVersions } from '../../src/redis/order-versions.js';
import { createReceipts } from '../../src/redis/receipts.js';
import { createStamps } from '../../src/redis/stamps.js';
import type { Warehouse } from '../../src/warehouse/client.js';
import {
  createOrderEncoder,
  ORDER_DAYS_HEAD,
  ORDERS_HEAD,
  type OrderEncoder,
  type OrderRows,
} from '../../src/warehouse/columns/orders.js';
import { createOrderFlush } from '../../workers/orders.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';
import { createPlainWarehouse } from '../simulation/warehouse/plain-warehouse.js';
import { createTables } from '../simulation/warehouse/tables.js';

const SHOP = 'shop';
const header: IngestHeader = {
  shop_id: SHOP,
  kind: 'orders',
  batch_id: 'batch',
  received_at: 1,
  accepted: 1,
  rejected: 0,
  superseded: 0,
  errors: [],
};

function addOrder(encoder: OrderEncoder, id: string, day: string, updatedAt: string): void {
  encoder.add({
    order_id: id,
    placed_at: `${day}T12:00:00Z`,
    updated_at: updatedAt,
    currency: 'EUR',
    status: 'paid',
    total: '10',
    line_items: [{ line_id: 'a', quantity: '1', unit_price: '10' }],
  });
}

/** A job of one order on a day, as the API encodes it. */
function jobOf(day: string, updatedAt: string, stamp: number): GroupJob<OrdersPush> {
  const encoder = createOrderEncoder();
  encoder.begin(SHOP, localDayIn('UTC'));
  addOrder(encoder, '1', day, updatedAt);
  return jobWith({ ...plain, order_ids: ['1'] }, encoder.rows([true], stamp));
}

/** A job of orders that were reserved as it was queued. */
function reservedJob(ids: string[], outcomes: string, stamp: number): GroupJob<OrdersPush> {
  const encoder = createOrderEncoder();
  encoder.begin(SHOP, localDayIn('UTC'));
  for (const id of ids) addOrder(encoder, id, '2026-03-01', '2026-03-05T13:00:00Z');
  const job = jobWith({ ...plain, order_ids: ids }, encoder.unstamped());
  return readJob({ ...job, schema: RESERVED_SCHEMA, reserved: [[outcomes, stamp]] });
}

const plain = { header, checkouts: [], warnings: [] };

function jobWith(push: ClaimedOrders, { orders, orderDays }: OrderRows): GroupJob<OrdersPush> {
  const segments = [
    { head: ORDERS_HEAD, rows: orders },
    { head: ORDER_DAYS_HEAD, rows: orderDays },
  ];
  const bytes = segments.map(({ rows }) => rows.length);
  return { schema: JOB_SCHEMA, pushes: [{ ...push, bytes }], rows: packSegments(segments).toString('base64') };
}

/** The flush on stores in memory, with a list of what it did; a step whose name begins with `failing` fails. */
function start(failing = 'nothing') {
  const steps: string[] = [];
  const redis = createRedisClient(
    createRedisServer(() => 1_767_225_600_000_000),
    (work) => Promise.resolve(work()),
  );
  const tables = createTables();
  const plain = createPlainWarehouse(tables);
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (name.startsWith(failing)) throw new Error(`no ${name}`);
    const result = await work();
    steps.push(name);
    return result;
  };
  const warehouse: Warehouse = {
    ...plain,
    ask: (query) => (query.name === 'days of written orders' ? step('read', () => plain.ask(query)) : plain.ask(query)),
    insert: (table, rows) => step(`insert ${table}`, () => plain.insert(table, rows)),
    insertBytes: (statement, bytes) =>
      step(statement.name.replace('insert', 'insert the rows of'), () => plain.insertBytes(statement, bytes)),
  };
  const rebuildQueues = createRebuildQueues(redis);
  const versions = createOrderVersions(redis);
  const receipts = createReceipts(redis);
  const takeStamps = createStamps(redis);
  const flush = createOrderFlush({
    warehouse,
    rebuildQueues: { ...rebuildQueues, add: (...args) => step('queue days', () => rebuildQueues.add(...args)) },
    attributionQueue: createRebuildQueue(redis, 'rebuild:orders'),
    droppedNames: createDroppedNames(redis, () => 1),
    versions: { ...versions, settle: (ids, now) => step('settle', () => versions.settle(ids, now)) },
    receipts: { ...receipts, store: (...args) => step('store receipts', () => receipts.store(...args)) },
    takeStamps: () => step('take a stamp', () => takeStamps()),
    now: () => 1,
  });
  const queued = async (): Promise<string[]> =>
    (await rebuildQueues.lanes.fresh.claim(10, 1_000)).map(({ id }) => id).sort();
  return { flush, steps, queued, tables };
}

describe('the flush of orders', () => {
  const first = jobOf('2026-03-01', '2026-03-01T13:00:00Z', 1);
  const later = jobOf('2026-03-02', '2026-03-02T13:00:00Z', 2);

  it('stores its rows, then reads and takes its stamp, then queues the days, and settles last', async () => {
    const { flush, steps } = start();
    await flush([first]);
    const rows = ['insert the rows of orders', 'insert the rows of order_days'];
    const order = [...rows, 'read', 'take a stamp', 'queue days', 'store receipts', 'settle'];
    const positions = order.map((name) => steps.indexOf(name));
    expect(positions).to.not.include(-1);
    expect(positions).to.deep.equal([...positions].sort((a, b) => a - b));
    expect(steps.at(-1)).to.equal('settle');
    expect(steps).to.include('insert ingest_log');
  });

  for (const failing of [
    'insert the rows',
    'read',
    'insert ingest_log',
    'take a stamp',
    'queue days',
    'store receipts',
  ]) {
    it(`fails, and settles nothing, when it can't ${failing}`, async () => {
      const { flush, steps } = start(failing);
      const failure: unknown = await flush([first]).catch((error: unknown) => error);
      expect(failure).to.have.property('message').that.includes(`no ${failing}`);
      expect(steps).to.not.include('settle');
      if (failing === 'insert the rows') expect(steps).to.not.include('queue days');
    });
  }

  it('asks of orders that are doubted whether they are new, and finds the same when it is repeated', async () => {
    const { flush, tables } = start();
    const occasions = (): unknown[] =>
      [...tables.orderDays.keys()].sort().map((key) => tables.orderDays.final(key)?.occasion);
    await flush([first]);
    expect(occasions()).to.deep.equal([OCCASION.new]);
    const doubted = (): GroupJob<OrdersPush> => reservedJob(['1', '2', '3'], 'aan', 100);
    await flush([doubted()]);
    const wanted = [OCCASION.known, OCCASION.new, OCCASION.new];
    expect(occasions()).to.deep.equal(wanted);
    tables.orderKeys.merge(() => true);
    await flush([doubted()]);
    expect(occasions()).to.deep.equal(wanted);
    await flush([reservedJob(['2', '3'], 'ka', 200)]);
    expect(occasions()).to.deep.equal([OCCASION.known, OCCASION.known, OCCASION.known]);
  });

  it('outdates no day of an order whose newer version is not stored', async () => {
    const { flush, tables } = start('insert the rows of orders');
    const failure: unknown = await flush([later]).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no insert the rows of orders');
    expect([...tables.orderDays.keys(), ...tables.orders.keys()]).to.deep.equal([]);
  });

  it('outdates the day that an order left, and queues both, also when the older push comes again', async () => {
    const { flush, queued, tables } = start();
    const live = (): string[] =>
      [...tables.orderDays.keys()].filter((key) => tables.orderDays.final(key) !== undefined);
    await flush([first]);
    await flush([later]);
    expect(await queued()).to.deep.equal(['2026-03-01', '2026-03-02']);
    expect(live()).to.have.length(1);
    await flush([first]);
    expect(live()).to.have.length(1);
    expect(live()[0]).to.include('20514');
  });
});
