import { readFile } from 'node:fs/promises';
import type { QueueName } from '../../src/queue/jobs.js';
import type { Service } from './service.js';

/** Jobs of a release by queue, as they stood in Redis; all releases were sent the same items, those of one a shop. */
type EarlierJobs = Record<QueueName, { schema: number; rows: string }[]>;

export const EARLIER_RELEASES = ['schemas-1-and-2', 'schema-3', 'schema-4'] as const;
export const EARLIER_DAY = '2100-01-01';
/** What they come to, by the release that wrote them. */
export const EARLIER_FIGURES = {
  orders: 2,
  revenue: '39.00',
  refunds: '5.00',
  cogs: '6.50',
  gateway_fees: '0.60',
  ad_spend: '2.00',
};

/** Queues the jobs that a release wrote; gives the shop that they are of. */
export async function queueEarlierJobs({ deps }: Service, release: string): Promise<string> {
  const jobs = JSON.parse(await readFile(`test/support/earlier-jobs/${release}.json`, 'utf8')) as EarlierJobs;
  for (const [queue, list] of Object.entries(jobs) as [QueueName, EarlierJobs[QueueName]][]) {
    for (const [i, job] of list.entries()) {
      const data = { ...job, rows: Buffer.from(job.rows, 'base64') };
      await deps.producer.add(queue, `${release}-${queue}-${i}`, data);
    }
  }
  return /earlier-\d/.exec(JSON.stringify(jobs))?.[0] ?? '';
}

/** The figures of the day of those jobs. */
export async function earlierFigures(service: Service, shopId: string): Promise<unknown> {
  const key = await service.key(shopId);
  await service.call('PUT', '/v1/source', {
    key,
    body: { platform: 'p', currency: 'EUR', timezone: 'UTC' },
  });
  return (await service.call('GET', `/v1/metrics?from=${EARLIER_DAY}&to=${EARLIER_DAY}`, { key })).body as unknown;
}
