import { expect } from 'chai';
import { dateTimeText } from '../../src/warehouse/columns/date-time.js';
import { OPERATOR } from '../../src/domain/people.js';
import type { Stores } from '../../src/composition/stores.js';
import { createAccessLog } from '../../src/warehouse/queries/access-log.js';
import { createAlertStore } from '../../src/warehouse/queries/alerts.js';
import { createPeopleStore } from '../../src/warehouse/queries/people.js';
import { createShareLinkStore } from '../../src/warehouse/queries/share-links.js';
import { countPassedHours } from '../../src/warehouse/queries/push-hours.js';
import { writtenTimes } from '../support/json-times.js';
import { useService } from '../support/service.js';
import { pushAll } from '../support/whole-shop.js';

/** Tables with times whose rows come from views, or from a binary format, in which a time has one meaning. */
const NOT_OF_JSON = ['event_links', 'events', 'order_days', 'order_facts', 'orders', 'visitor_events'];

/** A row of each table that the app alone writes, with all its times. */
async function writeAppTables({ warehouse, takeStamps, now }: Stores, shopId: string): Promise<void> {
  const [at, version] = [now(), await takeStamps()];
  await createPeopleStore(warehouse).write(
    {
      personId: 'p',
      name: 'Ada',
      role: 'viewer',
      shops: [shopId],
      password: '',
      invitation: { hash: 'h', by: 'Operator', until: at + 1_007 },
      createdAt: at,
    },
    version,
  );
  await createShareLinkStore(warehouse).write(
    {
      tokenHash: '0'.repeat(64),
      linkId: 'l',
      shopId,
      from: '2026-01-01',
      to: '2026-01-31',
      madeBy: 'Operator',
      createdAt: at,
      expiresAt: at + 1_007,
      endedAt: at + 123,
    },
    version,
  );
  await createAccessLog(warehouse, now).note(OPERATOR, 'signed in');
  const alerts = createAlertStore(warehouse);
  await alerts.writeRules(shopId, [{ kind: 'day_lost', isOn: true, threshold: '0', onSince: at }], version);
  await alerts.write(
    shopId,
    [
      {
        alertId: 'a',
        kind: 'day_lost',
        day: '2026-01-01',
        measured: '-1',
        threshold: '0',
        problem: '',
        since: at,
        endedAt: at + 1_007,
        delivery: 'waiting',
        attempts: 0,
        nextAt: at + 123,
      },
    ],
    version,
  );
}

describe('times in rows of JSON', () => {
  const service = useService();

  it('are text in every column of times, which root hooks check on each insert of each test', async () => {
    const { warehouse, keys, sources } = service.stores;
    const shop = await service.shop();
    await pushAll(service, shop, 0);
    await shop.call('POST', '/v1/orders', { orders: [{ order_id: 'refused' }] });
    for (const secret of ['old', 'new']) {
      await shop.call('PUT', '/v1/hooks/shopify', { secret, shop_domain: 'my-shop.myshopify.com' });
    }
    const [key] = await keys.list(shop.id);
    if (key === undefined) throw new Error('the shop has no key');
    const [expiresAt, revokedAt] = [key.createdAt + 86_400_123, key.createdAt + 86_400_007];
    await service.settled();
    await keys.save({ ...key, expiresAt, revokedAt });
    await countPassedHours(service.stores);
    await sources.setClosed(shop.id, Date.now());
    await writeAppTables(service.stores, shop.id);
    await service.settled();

    const withTimes = await warehouse.query<{ column: string; table: string }>(
      `SELECT table, concat(table, '.', name) AS column FROM system.columns
       WHERE database = 'profit' AND type LIKE '%DateTime%' AND default_kind = ''
         AND table IN (SELECT name FROM system.tables WHERE database = 'profit' AND engine LIKE '%MergeTree')`,
    );
    // The rows of hours that hold counts are written by `INSERT … SELECT`.
    const ofCounts = ['push_hours.first_at', 'push_hours.last_at', 'push_hours.errors.newest'];
    const ofJson = withTimes.filter(({ table }) => !NOT_OF_JSON.includes(table)).map(({ column }) => column);
    expect([...writtenTimes]).to.include.members(ofJson.filter((column) => !ofCounts.includes(column)));

    const [stored] = await warehouse.query(
      `SELECT toUnixTimestamp64Milli(created_at) AS created, toUnixTimestamp64Milli(expires_at) AS expires,
         toUnixTimestamp64Milli(revoked_at) AS revoked FROM api_keys FINAL WHERE key_id = {id:String}`,
      { id: key.keyId },
    );
    expect(stored).to.deep.equal({
      created: `${key.createdAt}`,
      expires: `${expiresAt}`,
      revoked: `${revokedAt}`,
    });
  });

  it('are refused where they are no instant, or one that a column cannot hold', () => {
    expect(dateTimeText(1_772_323_200_007)).to.equal('2026-03-01 00:00:00.007');
    for (const ms of [NaN, Infinity, -1, Date.UTC(2300, 0), '5' as unknown as number])
      expect(() => dateTimeText(ms), String(ms)).to.throw(RangeError);
  });
});
