import { jobKey, type QueueName } from '../../queue/jobs.js';
import { headersOf } from '../../queue/read-job.js';
import type { Receipts } from '../../redis/receipts.js';

/** Kinds whose pushes have a receipt. The rejections of a push have the same batch id, and reads do not wait for them. */
const WITH_RECEIPTS: readonly QueueName[] = ['orders', 'spend', 'product-costs', 'order-costs', 'rates'];

/** Notes that the pushes of a job are under way again, before it is put back into the queue: later receipts then wait for them. */
export async function reopenPushes(receipts: Receipts, queue: QueueName, id: string, data: unknown): Promise<void> {
  if (!WITH_RECEIPTS.includes(queue)) return;
  const pushes = headersOf(data).flatMap(({ shop_id: shopId, batch_id: batchId, accepted = 0 }) =>
    shopId === undefined || batchId === undefined || accepted === 0 ? [] : [{ shopId, batchId }],
  );
  await receipts.reopen(jobKey(queue, id), pushes);
}
