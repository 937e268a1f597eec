import { expect } from 'chai';
import { useFreshShop, useService, type Shop } from '../../support/service.js';

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

  describe('in a breakdown', () => {
    const RANGE = 'from=2026-05-01&to=2026-05-07';
    let own: Shop;
    const read = async (query: string, by: string, who: Shop = own): Promise<any> =>
      (await who.call('GET', `/v1/breakdown?by=${by}&${query}`)).body;
    const rowsOf = ({ rows }: any): unknown[] => rows.map(({ key, name, orders }: any) => [key, name ?? key, orders]);

    before(async () => {
      own = await service.shop();
      const at = (day: number): object => ({ placed_at: `2026-05-0${day}T12:00:00Z` });
      const facts = (id: string, day: number, more: object): object => ({
        ...order,
        ...at(day),
        order_id: id,
        ...more,
      });
      const orders = [
        facts('1', 2, {
          country: 'de',
          payment_gateway: ' Shopify-Payments',
          tags: ['Gift', '=1+1'],
          discount_codes: ['MAY'],
        }),
        facts('2', 3, {
          country: 'DE',
          payment_gateway: 'shopify payments',
          tags: [' gift '],
          discount_codes: ['may', '10%,"x"'],
        }),
        facts('3', 1, { country: 'FR', tags: ['GIFT'], sales_channel: 'POS', customer: { id: 'C' } }),
        facts('4', 1, { status: 'pending', country: 'IT' }),
        facts('5', 9, { country: 'AT' }),
      ];
      expect((await own.call('POST', '/v1/orders', { orders })).body.accepted).to.equal(5);
      await service.settled();
    });

    it('are rows by what is the same in them, in the newest spelling', async () => {
      expect(rowsOf(await read(RANGE, 'country'))).to.deep.equal([
        ['DE', 'DE', 2],
        ['FR', 'FR', 1],
      ]);
      expect(rowsOf(await read(RANGE, 'payment_gateway'))).to.deep.equal([
        ['shopify_payments', 'shopify payments', 2],
        [null, null, 1],
      ]);
      const tags = await read(RANGE, 'tag');
      expect(rowsOf(tags)).to.deep.equal([
        ['gift', 'gift', 3],
        ['=1+1', '=1+1', 1],
      ]);
      expect(tags).to.deep.include({ overlapping: true, count: 2 });
      expect(tags.totals).to.include({
        orders: 3,
        revenue: '90.00',
        profit: '90.00',
        cogs_complete: 0,
        orders_without_fee: 3,
      });
      expect(tags.rows.map(({ share }: any) => share)).to.deep.equal(['1.00', '0.333333']);
      expect(await read('from=2025-05-01&to=2025-05-02', 'tag')).to.deep.include({ rows: [], count: 0 });
    });

    it('are found in the list of orders by what a row has', async () => {
      const ids = async (query: string): Promise<string[]> =>
        (await own.call('GET', `/v1/orders?${RANGE}&${query}`)).body.orders.map((one: any) => one.order_id);
      expect(await ids('country=de')).to.deep.equal(['2', '1']);
      expect(await ids('tag=%20GIFT')).to.deep.equal(['2', '1', '3']);
      expect(await ids('tag=gift&discount_code=10%25,%22x%22')).to.deep.equal(['2']);
      expect(await ids('sales_channel=pos&customer_id=C')).to.deep.equal(['3']);
      expect(await ids('customer_id=c')).to.deep.equal([]);
      expect((await own.call('DELETE', '/v1/orders/4')).status).to.equal(204);
      await service.settled();
      expect(await ids('status=deleted&country=IT')).to.deep.equal(['4']);
      expect(await ids('status=deleted&tag=gift&sales_channel=x&discount_code=y&customer_id=z')).to.deep.equal([]);
    });

    it('are paged by a key that a row keeps, and refuse what is not theirs', async () => {
      const query = `${RANGE}&sort=key&order=desc`;
      const { next, rows, totals } = await read(`${query}&limit=1`, 'discount_code');
      expect([rows[0].key, totals.orders]).to.deep.equal(['may', 3]);
      const second = await read(`${query}&limit=1&cursor=${next}`, 'discount_code');
      const last = await read(`${query}&limit=1&cursor=${second.next}`, 'discount_code');
      expect([rowsOf(second), rowsOf(last)]).to.deep.equal([[['10%,"x"', '10%,"x"', 1]], [[null, null, 1]]]);
      expect([last.count, last.totals, last.next]).to.deep.equal([3, totals, undefined]);
      const [id, place] = JSON.parse(Buffer.from(String(next), 'base64url').toString()) as [string, object];
      const forged = (change: object): string =>
        Buffer.from(JSON.stringify([id, { ...place, ...change }])).toString('base64url');
      const other = await service.shop();
      const refused = [
        read(`${query}&cursor=${next}`, 'tag'),
        read(`${RANGE}&cursor=${next}`, 'discount_code'),
        read(`${query}&cursor=${next}`, 'discount_code', other),
        read(`${query}&cursor=${forged({ to: 1e9 })}`, 'discount_code'),
        read(`${query}&cursor=${forged({ value: '1' })}`, 'discount_code'),
        read(`${query}&cursor=${forged({ totals: {} })}`, 'discount_code'),
      ];
      for (const { errors } of await Promise.all(refused)) {
        expect(errors).to.have.length(1);
        expect(errors[0]).to.include({ code: 'invalid_value', field: 'cursor' });
      }
      expect((await read(RANGE, 'country', other)).rows).to.deep.equal([]);
    });

    it('report all faults of a query at once', async () => {
      const faults = async (query: string): Promise<string[]> =>
        (await own.call('GET', `/v1/breakdown?${query}`)).body.errors
          .map(({ code, field }: any) => `${code} ${field}`)
          .sort();
      expect(
        await faults('by=shape&sort=name&order=up&limit=251&cursor=x&page=2&as_of=2026-05-01T00:00:00Z'),
      ).to.deep.equal([
        'invalid_value by',
        'invalid_value cursor',
        'invalid_value limit',
        'invalid_value order',
        'invalid_value sort',
        'unknown_field as_of',
        'unknown_field page',
      ]);
      expect(await faults('from=2025-01-01&to=2026-01-02')).to.deep.equal(['missing_field by', 'range_too_long from']);
    });
  });
});
