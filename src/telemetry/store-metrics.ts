import { Gauge, Histogram, type Registry } from 'prom-client';
import { WAIT_BUCKETS } from './registry.js';

/** Called for every question to the warehouse: what kind, how long it took, and whether it was answered. */
export type ObserveWarehouse = (kind: 'query' | 'command' | 'insert', seconds: number, isAnswered: boolean) => void;

export function createWarehouseMetrics(register: Registry): ObserveWarehouse {
  const seconds = new Histogram({
    name: 'profit_warehouse_seconds',
    help: 'Time of a question to ClickHouse, the wait for its turn included',
    labelNames: ['kind', 'outcome'],
    buckets: WAIT_BUCKETS,
    registers: [register],
  });
  return (kind, took, isAnswered) => seconds.observe({ kind, outcome: isAnswered ? 'done' : 'failed' }, took);
}

export interface StoreProbes {
  redis: () => Promise<boolean>;
  clickhouse: () => Promise<boolean>;
  /** The free part of the fullest disk of ClickHouse, from 0 to 1. */
  clickhouseDisk: () => Promise<number>;
}

/** Whether the stores answer, asked when somebody looks. */
export function offerStoreHealth(probes: StoreProbes, register: Registry): void {
  for (const [store, name] of [
    ['redis', 'Redis'],
    ['clickhouse', 'ClickHouse'],
  ] as const) {
    new Gauge({
      name: `profit_${store}_up`,
      help: `1 while ${name} answers in good time`,
      aggregator: 'min',
      registers: [register],
      async collect() {
        this.set((await probes[store]()) ? 1 : 0);
      },
    });
  }
  new Gauge({
    name: 'profit_clickhouse_disk_free_ratio',
    help: 'Free part of the fullest disk of ClickHouse, from 0 to 1; absent while ClickHouse does not answer',
    aggregator: 'min',
    registers: [register],
    async collect() {
      this.reset();
      await probes.clickhouseDisk().then(
        (free) => this.set(free),
        () => this.remove(),
      );
    },
  });
}
