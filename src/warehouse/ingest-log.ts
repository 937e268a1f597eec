import type { IngestHeader } from '../domain/ingest.js';
import type { Warehouse } from './client.js';

/** Appends pushes to the ingest log; a repeated `batch_id` counts once. */
export async function writeIngestLog(warehouse: Warehouse, headers: readonly IngestHeader[]): Promise<void> {
  await warehouse.insert(
    'ingest_log',
    headers.map(({ errors, ...header }) => ({
      ...header,
      'errors.code': errors.map((error) => error.code),
      'errors.count': errors.map((error) => error.count),
      'errors.sample': errors.map((error) => error.sample),
    })),
  );
}
