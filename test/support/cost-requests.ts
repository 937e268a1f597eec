import { setTimeout as sleep } from 'node:timers/promises';
import type { CostPush } from './cost-arbitrary.js';
import type { Answer, Shop } from './service.js';

/** Sends one push of a history as the request that it stands for; again where the service is too busy, as it asks for. */
export async function sendCostPush(shop: Shop, push: CostPush): Promise<Answer> {
  for (;;) {
    const answer = await sendOnce(shop, push);
    if (answer.status !== 503) return answer;
    await sleep(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

function sendOnce(shop: Shop, push: CostPush): Promise<Answer> {
  switch (push.kind) {
    case 'orders':
      return shop.call('POST', '/v1/orders', { orders: push.orders });
    case 'catalog':
      return shop.call('PUT', '/v1/products/costs', { costs: push.costs });
    case 'order_costs':
      return shop.call('PUT', '/v1/costs/orders', { costs: push.costs });
    case 'spend':
      return shop.call('POST', '/v1/costs/spend', { rows: push.rows });
    case 'rules':
      return shop.call('PUT', '/v1/costs/gateway-fees', { rules: push.rules });
    case 'expense':
      return push.expense === null
        ? shop.call('DELETE', `/v1/costs/expenses/${push.externalId}`)
        : shop.call('POST', '/v1/costs/expenses', push.expense);
  }
}
