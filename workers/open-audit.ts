import type { Logger } from 'pino';
import type { Stores } from '../src/composition/stores.js';
import { createAuditDay, createCheckDays } from '../src/figures/audit.js';
import { createAuditState } from '../src/redis/audit-state.js';
import type { WorkerMetrics } from '../src/telemetry/worker-metrics.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { createCompareDays } from '../src/warehouse/queries/audit-checksums.js';
import { createAuditReader } from '../src/warehouse/queries/audit.js';
import { rebuildRollups } from '../src/warehouse/queries/rollups.js';
import { rebuildSpend } from '../src/warehouse/queries/spend.js';
import { withTags } from '../src/warehouse/tags.js';
import { createAuditLoop } from './audit.js';
import type { Loop } from './loop.js';
import { finishOrders } from './orders.js';

/** What the audits of all shards take of the time of one core. */
const AUDIT_SHARE = 0.02;

export interface AuditOptions {
  shard: number;
  metrics: Pick<WorkerMetrics, 'audited'>;
  log: Logger;
}

/** The audit of the shops of a shard; a wrong day is logged, counted and computed again. */
export function openAuditLoop(stores: Stores, shardWarehouse: Warehouse, { shard, metrics, log }: AuditOptions): Loop {
  const warehouse = withTags(shardWarehouse, () => ({ work: 'audit' }));
  const reader = createAuditReader(warehouse);
  const checkDays = createCheckDays({ ...stores, compareDays: createCompareDays(warehouse) });
  const auditDay = createAuditDay({ ...stores, reader });
  return createAuditLoop({
    state: createAuditState(stores.redis, shard),
    reader,
    now: stores.now,
    share: AUDIT_SHARE / stores.shards.each.length,
    async check(of) {
      const checked = await checkDays(of);
      metrics.audited('done', checked.right.length);
      metrics.audited('behind', checked.behind.length);
      return checked;
    },
    async audit(of) {
      const found = await auditDay(of);
      metrics.audited(typeof found === 'string' ? found : 'done', 1);
      return found;
    },
    async rebuild(of) {
      const { shopId, day } = of;
      await finishOrders({ ...stores, warehouse }, reader, of);
      await rebuildRollups(warehouse, [{ shopId, day }], stores.takeStamps, { all: true });
      await rebuildSpend(warehouse, [{ shopId, day }], await stores.takeStamps());
    },
    onWrong({ shopId, day }, [first, ...others]) {
      metrics.audited('wrong', 1);
      log.error({ shop: shopId, day, ...first, others: others.length }, 'the audit found a wrong figure');
    },
  });
}
