import { expect } from 'chai';
import { useFreshShop, useService } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const order = {
  order_id: 'a/b',
  placed_at: '2026-03-05T23:30:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '1', unit_price: '30' }],
  total: '30',
};

describe('facts of an order', () => {
  const service = useService();
  const shop = useFreshShop(service);

  async function push(one: object): Promise<void> {
    const { body } = await shop.call('POST', '/v1/orders', { orders: [one] });
    expect(body.accepted, JSON.stringify(body)).to.equal(1);
    await service.settled();
  }
  const get = async (id: string): Promise<any> => (await shop.call('GET', `/v1/orders/${encodeURIComponent(id)}`)).body;

  it('keeps facts of an order in their newest spelling, and refuses what names a person', async () => {
    const facts = {
      country: ' at',
      sales_channel: ' Web ',
      discount_codes: ['SPRING', ' spring', 'B-1'],
      tags: ['VIP', '2026-03-01'],
    };
    await push({ ...order, ...facts });
    const kept = {
      country: 'AT',
      sales_channel: 'Web',
      discount_codes: ['SPRING', 'B-1'],
      tags: ['VIP', '2026-03-01'],
    };
    expect(await get('a/b')).to.deep.include(kept);
    expect((await shop.call('DELETE', '/v1/orders/a%2Fb')).status).to.equal(204);
    await service.settled();
    expect(await get('a/b')).to.deep.include({ ...kept, deleted: true });
    await push({ ...order, order_id: 'other', sales_channel: 'web' });
    const other = await get('other');
    expect(other).to.deep.include({ sales_channel: 'web' });
    expect(other).not.to.have.any.keys('country', 'discount_codes', 'tags');
    const wrong = {
      country: 'UK',
      sales_channel: 'x'.repeat(65),
      discount_codes: ['ok', ' ', 'jane@example.com', '4111 1111 1111 1111'],
      tags: [...Array.from({ length: 50 }, (_, i) => `t-${i}`), 'x'],
    };
    const { body } = await shop.call('POST', '/v1/orders', {
      orders: [
        { ...order, order_id: 'wrong', ...wrong },
        { ...order, order_id: 'phone', sales_channel: '+49 151 23456789', tags: ['192.168.10.20', 'x'.repeat(256)] },
      ],
    });
    const faults = body.results.map(({ errors }: any) =>
      errors.map(({ code, field }: any) => `${code} ${field}`).sort(),
    );
    expect(faults).to.deep.equal([
      [
        'invalid_value country',
        'invalid_value discount_codes[1]',
        'invalid_value sales_channel',
        'pii_rejected discount_codes[2]',
        'pii_rejected discount_codes[3]',
        'too_many tags',
      ],
      ['invalid_value tags[1]', 'pii_rejected sales_channel', 'pii_rejected tags[0]'],
    ]);
  });
});
