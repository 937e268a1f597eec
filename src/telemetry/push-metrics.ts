import { Counter, type Registry } from 'prom-client';
import type { IngestHeader } from '../domain/ingest.js';
import type { Producer } from '../queue/producer.js';

/** Counts what pushes brought, by kind and outcome; called once they are taken. */
export type CountPushes = (headers: readonly IngestHeader[]) => void;

interface Pushes {
  pushes?: readonly { header: Partial<IngestHeader> }[];
}

/** The same producer, whose pushes are counted once Redis holds them. */
export function countPushes(producer: Producer, count: CountPushes): Producer {
  return {
    ...producer,
    async add(queue, jobId, data) {
      await producer.add(queue, jobId, data);
      // Rejected items have jobs of their own besides those of their pushes.
      const { pushes = [] } = data as Pushes;
      if (queue !== 'rejections') count(pushes.flatMap(({ header }) => (hasCounts(header) ? [header] : [])));
    },
  };
}

const hasCounts = (header: Partial<IngestHeader>): header is IngestHeader => header.accepted !== undefined;

const OUTCOMES = ['accepted', 'rejected', 'superseded'] as const;

export function createPushCounts(register: Registry): CountPushes {
  const items = new Counter({
    name: 'profit_items_total',
    help: 'Items of pushes by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers: [register],
  });
  const faults = new Counter({
    name: 'profit_item_faults_total',
    help: 'Faults of rejected items by kind and code',
    labelNames: ['kind', 'code'],
    registers: [register],
  });
  return (headers) => {
    for (const header of headers) {
      const { kind, errors } = header;
      for (const outcome of OUTCOMES) if (header[outcome] > 0) items.inc({ kind, outcome }, header[outcome]);
      for (const { code, count } of errors) faults.inc({ kind, code }, count);
    }
  };
}
