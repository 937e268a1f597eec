import type { IngestHeader } from '../domain/ingest.js';
import type { SendExport } from '../http/exports/send-export.js';
import type { ResourceDeps } from '../http/routes/resources.js';
import { createExpenseIntake } from '../ingest/expenses.js';
import { createGatewayFeeIntake } from '../ingest/gateway-fees.js';
import { createGroupCommit } from '../ingest/group-commit.js';
import { createOrderCommit } from '../ingest/order-commit.js';
import { createOrderCostIntake } from '../ingest/order-costs.js';
import { createOrderDeletion } from '../ingest/order-deletion.js';
import { createOrderIntake } from '../ingest/orders.js';
import { createProductCostIntake } from '../ingest/product-costs.js';
import { createRateIntake } from '../ingest/rates.js';
import { createRejections } from '../ingest/rejections.js';
import { createSpendIntake } from '../ingest/spend.js';
import type {
  OrderCostsPush,
  OrdersPush,
  ProductCostsPush,
  RatesPush,
  RejectionsPush,
  SpendPush,
} from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import { createRejectionBudget } from '../redis/rejection-budget.js';
import { createShopNamesState } from '../redis/shop-names.js';
import { createShopNames, MAX_AD_ACCOUNTS, MAX_CHANNELS, MAX_GATEWAYS } from '../repositories/shop-names.js';
import { NO_HEAD } from '../warehouse/columns/json-rows.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../warehouse/columns/orders.js';
import { createOrderCostList } from '../warehouse/queries/order-cost-list.js';
import { createProductCostList } from '../warehouse/queries/product-costs.js';
import { createRateList } from '../warehouse/queries/rates.js';
import { createNewestVersions } from '../warehouse/queries/settle-orders.js';
import { createCostPreview } from '../warehouse/queries/cost-preview.js';
import { createShopNameReaders } from '../warehouse/queries/shop-names.js';
import type { CountPushes } from '../telemetry/push-metrics.js';
import { withTags } from '../warehouse/tags.js';
import { createShopifyHookIntake, type TakeShopifyHook } from '../ingest/shopify-hooks.js';
import type { Stores } from './stores.js';

export interface PushDeps {
  producer: Producer;
  countPushes: CountPushes;
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
  writeLog: (headers: readonly IngestHeader[]) => Promise<void>;
  sendExport: SendExport;
}

/** What the resources work with that shops push to. */
export function openPushes(
  { redis, warehouse, shards, sources, versions, receipts, costSettings, expenses, takeStamps, now }: Stores,
  { producer, countPushes, requireCapacity, writeLog, sendExport }: PushDeps,
): Pick<
  ResourceDeps,
  'orders' | 'orderCosts' | 'orderDeletion' | 'productCosts' | 'spend' | 'gatewayFees' | 'rates' | 'expenses'
> & { takeHook: TakeShopifyHook } {
  const stored = createShopNameReaders(warehouse);
  const names = (kind: keyof typeof stored, most: number) =>
    createShopNames({ state: createShopNamesState(redis, kind), stored: stored[kind], most });
  const toShard = { producer, shardOf: shards.of };
  const openRejections = createRejections({
    commit: createGroupCommit<RejectionsPush>({ ...toShard, queue: 'rejections', heads: [NO_HEAD] }),
    spend: createRejectionBudget(redis),
    now,
  });
  const common = { sources, receipts, openRejections, now };
  const orderPushes = {
    versions,
    newestVersions: createNewestVersions(shards),
  };
  const deleteOrder = createOrderDeletion({
    sources,
    takeStamps,
    now,
    ...orderPushes,
    commit: createGroupCommit<OrdersPush>({ ...toShard, queue: 'orders', heads: [ORDERS_HEAD, ORDER_DAYS_HEAD] }),
  });
  const takeOrders = createOrderIntake({
    ...common,
    ...orderPushes,
    commit: createOrderCommit({ ...toShard, onQueued: countPushes }),
    gateways: names('gateways', MAX_GATEWAYS),
  });
  const takeProductCosts = createProductCostIntake({
    ...common,
    previewCosts: createCostPreview(warehouse),
    commit: createGroupCommit<ProductCostsPush>({ ...toShard, queue: 'product-costs', heads: [NO_HEAD] }),
  });
  const takeOrderCosts = createOrderCostIntake({
    ...common,
    versions,
    warehouse,
    commit: createGroupCommit<OrderCostsPush>({ ...toShard, queue: 'order-costs', heads: [NO_HEAD] }),
  });
  const takeSpend = createSpendIntake({
    ...common,
    channels: names('channels', MAX_CHANNELS),
    adAccounts: names('adAccounts', MAX_AD_ACCOUNTS),
    commit: createGroupCommit<SpendPush>({ ...toShard, queue: 'spend', heads: [NO_HEAD, NO_HEAD] }),
  });
  const takeRates = createRateIntake({
    ...common,
    commit: createGroupCommit<RatesPush>({ ...toShard, queue: 'rates', heads: [NO_HEAD] }),
  });
  const takeExpense = createExpenseIntake({ ...common, expenses, writeLog });
  const takeGatewayFees = createGatewayFeeIntake({ ...common, costSettings, writeLog });
  return {
    takeHook: createShopifyHookIntake({ takeOrders, deleteOrder, sources, now }),
    orders: () => ({ takeOrders, requireCapacity }),
    orderCosts: (tagsOf) => ({
      sources,
      takeOrderCosts,
      listOrderCosts: createOrderCostList(withTags(warehouse, tagsOf)),
      sendExport,
      requireCapacity,
    }),
    orderDeletion: () => ({ deleteOrder, requireCapacity }),
    productCosts: (tagsOf) => ({
      sources,
      takeProductCosts,
      listProductCosts: createProductCostList(withTags(warehouse, tagsOf)),
      sendExport,
      requireCapacity,
    }),
    spend: () => ({ takeSpend, requireCapacity }),
    gatewayFees: () => ({ sources, costSettings, takeGatewayFees }),
    rates: (tagsOf) => ({
      sources,
      takeRates,
      listRates: createRateList(withTags(warehouse, tagsOf)),
      sendExport,
      requireCapacity,
    }),
    expenses: () => ({ sources, expenses, takeExpense }),
  };
}
