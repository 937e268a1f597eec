import type { IngestHeader } from '../src/domain/ingest.js';
import type { GroupJob } from '../src/queue/jobs.js';

/** Ids of one flush that are reported; it may hold thousands of pushes. */
const MAX_IDS = 10;

type Pushes = readonly { header: Partial<IngestHeader> }[];

/** By which requests' pushes a flush or job is found again, in the log of the worker and next to its queries. */
export function idsOf(jobs: readonly GroupJob<{ header: Partial<IngestHeader> }>[]): Record<string, string[]> {
  const firsts: Pushes = jobs.slice(0, MAX_IDS).flatMap(({ pushes }) => pushes.slice(0, MAX_IDS));
  const some = (field: 'request_id' | 'trace_id' | 'batch_id'): string[] => [
    ...new Set(firsts.flatMap(({ header }) => header[field] ?? []).slice(0, MAX_IDS)),
  ];
  return { request_ids: some('request_id'), trace_ids: some('trace_id'), batch_ids: some('batch_id') };
}
