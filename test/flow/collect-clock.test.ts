import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { literal } from '../../src/warehouse/sql.js';
import { useService } from '../support/service.js';

const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe('sent_at of POST /v1/collect', () => {
  const service = useService();

  it('corrects the clock of the page, and is refused where it is no timestamp', async () => {
    const shop = await service.shop();
    const key = await service.key(shop.id, 'pixel');
    const send = (ts: string, sent_at: string) => {
      const event = { event_id: randomUUID(), anon_id: 'visitor', type: 'page_view', consent: 'analytics', ts };
      return service.call('POST', '/v1/collect?debug=1', { key, body: { events: [event], sent_at } });
    };
    const now = Date.now();
    expect((await send(iso(now - 4 * HOUR), iso(now - 3 * HOUR))).body.results[0].verdict).to.equal('accepted');
    expect((await send(iso(now - 49 * HOUR), iso(now))).body.results[0].errors[0].code).to.equal('invalid_timestamp');
    const refused = await send(iso(now), 'yesterday');
    expect([refused.status, refused.body.errors[0].code, refused.body.errors[0].field]).to.deep.equal([
      400,
      'invalid_timestamp',
      'sent_at',
    ]);
    await service.settled();
    const [row] = await service.stores.warehouse.query<{ late: string }>(
      `SELECT toUnixTimestamp64Milli(received_at) - toUnixTimestamp64Milli(ts) AS late FROM events WHERE shop_id = ${literal(shop.id)}`,
    );
    expect(Number(row?.late)).to.be.closeTo(HOUR, 60_000);
  });
});
