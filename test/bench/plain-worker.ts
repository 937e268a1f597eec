import { createClient } from '@clickhouse/client';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

/** What the worker of the plain app gets first; then, each time, how many of the app's jobs there are. */
interface Stores {
  redisUrl: string;
  clickhouseUrl: string;
  database: string;
}

const TABLE = 'plain_orders';
const COLUMNS = `order_id String, order_name String, placed_at DateTime64(6), updated_at DateTime64(6), currency String, status String,
  line_items Array(Tuple(line_id String, quantity Decimal(38, 6), unit_price Decimal(38, 6), sku String)), shipping Decimal(38, 6),
  tax Decimal(38, 6), total Decimal(38, 6), payment_gateway String`;

/**
 * The worker of the plain app, as the documentation of the packages shows it: a BullMQ worker, one job at a time, that inserts its orders as
 * JSONEachRow. It stores rows and computes no figures.
 */
process.once('message', (stores: Stores) => {
  void serve(stores);
});

async function serve({ redisUrl, clickhouseUrl, database }: Stores): Promise<void> {
  const settings = { date_time_input_format: 'best_effort' } as const;
  const client = createClient({ url: clickhouseUrl, database, clickhouse_settings: settings });
  const engine = 'ReplacingMergeTree(updated_at) ORDER BY order_id';
  await client.command({ query: `CREATE TABLE IF NOT EXISTS ${TABLE} (${COLUMNS}) ENGINE = ${engine}` });
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  process.on('message', ({ jobs }: { jobs: number }) => {
    let left = jobs;
    const worker = new Worker<object[]>(
      'plain',
      async ({ data }) => {
        await client.insert({ table: TABLE, values: data, format: 'JSONEachRow' });
        left--;
      },
      { connection, prefix: 'bench' },
    );
    worker.on('failed', (_, error) => {
      throw error;
    });
    worker.on('completed', () => {
      if (left === 0) void worker.close().then(() => process.send?.({ done: true }));
    });
  });
  process.send?.({ ready: true });
}
