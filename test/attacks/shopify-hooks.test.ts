import { expect } from 'chai';
import { DOMAIN, hookStates, sendHook } from '../support/shopify-hooks.js';
import { useService, useShop } from '../support/service.js';

describe('a thousand webhooks of Shopify at once', () => {
  const service = useService();
  const shop = useShop(service);

  it('each twice and in any order, are all taken and end in the last state of every order', async () => {
    const secret = 'the secret of the hooks';
    const { body: hook } = await shop.call('PUT', '/v1/hooks/shopify', { secret, shop_domain: DOMAIN });
    const hooks = Array.from({ length: 125 }, (_, i) => {
      const { created, paid, edited, refunded, deleted } = hookStates(2_000 + i);
      const states = [edited, i % 5 === 0 ? deleted : created, refunded, paid];
      return [...states.slice(i % 4), ...states.slice(0, i % 4)];
    }).flat();
    const answers = await Promise.all(
      [...hooks, ...hooks].map((one) => sendHook(service, hook.hook_id, one.body, { ...one, secret })),
    );
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.outcome).to.be.oneOf(['accepted', 'superseded']);
    }
    await service.settled();
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-03');
    expect(body).to.include({ orders: 100, revenue: '3000.00', refunds: '2000.00' });
  });
});
