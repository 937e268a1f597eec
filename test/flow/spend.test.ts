import { expect } from 'chai';
import { createGroupCommit } from '../../src/ingest/group-commit.js';
import type { SpendPush } from '../../src/queue/jobs.js';
import { NO_HEAD } from '../../src/warehouse/columns/json-rows.js';
import { encodeSpend, type StampedSpend } from '../../src/warehouse/queries/spend.js';
import { useFreshShop, useService } from '../support/service.js';

const row = (fields: Record<string, unknown> = {}) => ({
  channel: 'Radio',
  event_date: '2026-03-01',
  currency: 'EUR',
  spend: '10',
  ...fields,
});

describe('ad spend', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const push = async (...rows: unknown[]) => {
    const { body } = await shop.call('POST', '/v1/costs/spend', { rows });
    await service.settled();
    return body;
  };
  const metrics = async (from = '2026-03-01', to = from) =>
    (await shop.call('GET', `/v1/metrics?from=${from}&to=${to}`)).body;
  const spend = async (day?: string) => (await metrics(day)).ad_spend;

  it('keeps counts to the last unit, and refuses those that a number of JSON can’t hold', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const answer = await push(
      row({ channel: 'Counts', impressions: most, clicks: 4_294_967_297 }),
      row({ channel: 'Counts', campaign_id: '1', clicks: most + 1 }),
    );
    expect(answer).to.include({ accepted: 1, rejected: 1 });
    const stored = await service.stores.warehouse.query(
      "SELECT impressions, clicks FROM ad_spend FINAL WHERE shop_id = {shop:String} AND channel = 'custom:counts'",
      { shop: shop.id },
    );
    expect(stored).to.deep.equal([{ impressions: String(most), clicks: '4294967297' }]);
  });

  it('answers row by row with the stored channel, and all faults of a row at once', async () => {
    const answer = await push(
      row({ channel: 'Café Zürich & Söhne' }),
      row({ channel: 'custom:Radio', impressions: 5, clicks: 0, conversions: 1.5, conversion_value: '9.99' }),
      row({ channel: '!!!' }),
      row({ spend: 10, event_date: '2026-02-30', currency: 'eur', impressions: 1.5, platform: 'x' }),
      7,
    );
    expect(answer).to.include({ accepted: 2, rejected: 3 });
    const [first, second, third, fourth, fifth] = answer.results;
    expect(first).to.deep.equal({
      channel: 'custom:cafe-zurich-sohne',
      event_date: '2026-03-01',
      currency: 'EUR',
      outcome: 'accepted',
    });
    expect(second).to.include({ channel: 'custom:radio', outcome: 'accepted' });
    expect(third).to.include({ channel: null, outcome: 'rejected' });
    expect(third.errors).to.have.length(1);
    expect(third.errors[0]).to.include({ code: 'invalid_channel', field: 'channel' });
    expect(fourth.errors.map(({ code, field }: { code: string; field: string }) => `${field} ${code}`)).to.have.members(
      [
        'spend money_must_be_string',
        'event_date invalid_value',
        'currency invalid_value',
        'impressions invalid_type',
        'platform unknown_field',
      ],
    );
    expect(fifth).to.include({ channel: null, event_date: null, currency: null, outcome: 'rejected' });
    expect(await metrics()).to.include({ ad_spend: '20.00', net_profit: '-20.00', mer: null, blended_roas: '0.00' });
  });

  it('refuses an empty or oversized batch, and a key without the scope', async () => {
    for (const rows of [[], Array.from({ length: 501 }, () => row())]) {
      const { status, body } = await shop.call('POST', '/v1/costs/spend', { rows });
      expect([status, body.errors[0].code]).to.deep.equal([400, 'batch_size']);
    }
    const key = await service.key(shop.id, 'secret', ['read', 'orders:write']);
    const answer = await service.call('POST', '/v1/costs/spend', { key, body: { rows: [row()] } });
    expect([answer.status, answer.body.errors[0].code]).to.deep.equal([403, 'forbidden_scope']);
  });

  it('keeps the newest amount for each channel, day, currency and ids', async () => {
    await push(row(), row({ spend: '12' }), row({ campaign_id: 'c1', spend: '1' }), row({ ad_id: 'a1', spend: '2' }));
    expect(await spend()).to.equal('15.00');
    await push(
      row({ campaign_id: 'c1', spend: '3.5', campaign_name: 'renamed' }),
      row({ channel: 'TV', spend: '100' }),
    );
    expect(await spend()).to.equal('117.50');
    expect(await spend('2026-03-02')).to.equal('0.00');
  });

  it('clears the day with "0" without ids, and one key with ids', async () => {
    await push(
      row(),
      row({ campaign_id: 'c1', spend: '1' }),
      row({ campaign_id: 'c2', spend: '2' }),
      row({ channel: 'TV', spend: '50' }),
      row({ event_date: '2026-03-02', spend: '7' }),
    );
    await push(row({ campaign_id: 'c1', spend: '0.00' }));
    expect(await spend()).to.equal('62.00');
    await push(row({ spend: '0' }));
    expect(await spend()).to.equal('50.00');
    expect(await spend('2026-03-02')).to.equal('7.00');
    await push(row({ campaign_id: 'c2', spend: '4' }));
    expect(await spend()).to.equal('54.00');
  });

  it('applies the rows of one batch in order', async () => {
    await push(row({ campaign_id: 'c1', spend: '1' }), row({ spend: '0' }), row({ campaign_id: 'c2', spend: '2' }));
    expect(await spend()).to.equal('2.00');
  });

  it('keeps cleared what an older push brings later, whatever order the jobs run in', async () => {
    const first = await service.stores.takeStamps(3);
    const older: StampedSpend[] = [
      { row: row({ campaign_id: 'c1', spend: '1' }), channel: 'custom:radio', stamp: first },
      { row: row({ spend: '3' }), channel: 'custom:radio', stamp: first + 1 },
    ];
    await push(row({ spend: '0' }), row({ campaign_id: 'c9', spend: '9' }));
    const rows = encodeSpend(shop.id, older);
    const late = createGroupCommit<SpendPush>({
      producer: service.deps.producer,
      queue: 'spend',
      heads: [NO_HEAD, NO_HEAD],
    });
    const ids = { shop_id: shop.id, kind: 'spend', batch_id: `late-${shop.id}` } as const;
    const header = { ...ids, received_at: Date.now(), accepted: 2, rejected: 0, superseded: 0, errors: [] };
    await late.add({ header, days: ['2026-03-01'] }, [rows.spend, rows.clears], 2);
    await service.settled();
    expect(await spend()).to.equal('9.00');
  });

  it('leaves other currencies out and says which', async () => {
    await push(
      row({ currency: 'USD', spend: '5' }),
      row({ currency: 'USD', channel: 'TV', spend: '5' }),
      row({ currency: 'GBP', spend: '5', event_date: '2026-03-02' }),
      row(),
    );
    const body = await metrics();
    expect(body.ad_spend).to.equal('10.00');
    expect(body.currency_note).to.equal('Not in EUR and therefore left out: USD (custom:radio, custom:tv).');
    expect(body.left_out).to.deep.equal([
      { channel: 'custom:radio', currency: 'USD', ad_spend: '5.00' },
      { channel: 'custom:tv', currency: 'USD', ad_spend: '5.00' },
    ]);
    const both = await metrics('2026-03-01', '2026-03-02');
    expect(both.currency_note).to.contain('GBP (custom:radio); USD');
    expect(both.left_out).to.deep.equal([
      { channel: 'custom:radio', currency: 'GBP', ad_spend: '5.00' },
      ...body.left_out,
    ]);
    const { body: daily } = await shop.call('GET', '/v1/metrics/daily?from=2026-03-01&to=2026-03-02');
    const { body: channels } = await shop.call('GET', '/v1/attribution?from=2026-03-01&to=2026-03-02');
    for (const other of [daily, channels]) expect(other.left_out).to.deep.equal(both.left_out);
    expect(await metrics('2026-03-03')).not.to.have.any.keys('currency_note', 'left_out');
    await push(row({ currency: 'USD', spend: '0' }), row({ currency: 'USD', channel: 'TV', spend: '0' }));
    expect(await metrics()).not.to.have.any.keys('currency_note', 'left_out');
  });

  it('shows in the daily metrics of its days, and logs every push', async () => {
    await push(row(), row({ event_date: '2026-03-03', spend: '4' }));
    await push(row({ channel: '' }));
    const daily = (await shop.call('GET', '/v1/metrics/daily?from=2026-03-01&to=2026-03-03')).body;
    expect(daily.days.map((day: { ad_spend: string }) => day.ad_spend)).to.deep.equal(['10.00', '0.00', '4.00']);
    const logged = await service.stores.warehouse.query(
      `SELECT accepted, rejected, errors.code AS codes FROM ingest_log FINAL
       WHERE shop_id = {shop:String} AND kind = 'spend' ORDER BY accepted DESC`,
      { shop: shop.id },
    );
    expect(logged).to.deep.equal([
      { accepted: 2, rejected: 0, codes: [] },
      { accepted: 0, rejected: 1, codes: ['invalid_channel'] },
    ]);
  });
});
