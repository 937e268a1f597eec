import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Alert } from '../../../src/domain/alerts.js';
import type { AlertsAnswer } from '../../../src/schemas/alerts.js';
import { createAlertStore } from '../../../src/warehouse/queries/alerts.js';
import { openAlertLoops } from '../../../workers/open-alerts.js';
import { json, OPERATOR_ENV, signInAsOperator, type Operator } from '../../console/support.js';
import { placedOrder, pushSettled } from '../../support/placed-order.js';
import { useFreshShop, useService } from '../../support/service.js';
import { startReceiver, type Receiver } from '../../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours by which clocks of the shop are ahead, so that it is about noon there whenever the test runs. */
const AHEAD = 12 - new Date().getUTCHours();
const hourAt = (ms: number): number => new Date(ms + AHEAD * HOUR_MS).getUTCHours();
const dayAt = (ms: number): string => new Date(ms + AHEAD * HOUR_MS).toISOString().slice(0, 10);

describe('the morning summary', () => {
  const service = useService({ env: { ...OPERATOR_ENV, WEBHOOKS_TO_PRIVATE: '1' } });
  const timezone = AHEAD === 0 ? 'Etc/GMT' : `Etc/GMT${AHEAD > 0 ? '-' : '+'}${Math.abs(AHEAD)}`;
  const shop = useFreshShop(service, { timezone });
  let operator: Operator;
  let receiver: Receiver;
  let secret: string;
  let startedAt: number;

  before(async () => {
    operator = await signInAsOperator(service);
  });
  beforeEach(async () => {
    startedAt = Date.now();
    receiver = await startReceiver();
    secret = await setWebhook('/hook');
  });
  afterEach(async () => {
    await operator.send('DELETE', `${path()}/webhook`);
    await receiver.stop();
  });

  const path = (): string => `/app/api/shops/${shop.id}/alerts`;
  const setWebhook = async (at: string): Promise<string> =>
    (
      (await json(await operator.send('PUT', `${path()}/webhook`, { url: `${receiver.url}${at}` }))) as {
        secret: string;
      }
    ).secret;
  const turnOn = async (hour: number) =>
    json(
      await operator.send('PUT', path(), {
        rules: [{ kind: 'morning_summary', is_on: true, threshold: String(hour) }],
      }),
    );
  const loopsAt = (laterMs: number) =>
    openAlertLoops(service.config, { ...service.stores, now: () => startedAt + laterMs }, 0, (error) => {
      throw error;
    });
  /** One pass of so many workers, so long from the beginning of the test. */
  const turn = async (laterMs: number, workers = 1): Promise<void> => {
    const loops = Array.from({ length: workers }, () => loopsAt(laterMs));
    await service.stores.redis.del('alerts:looked');
    await Promise.all(loops.map(({ look }) => look()));
    await Promise.all(loops.map(({ send }) => send()));
  };
  const own = () => receiver.received.filter(({ payload }) => payload.includes(shop.id));
  const push = (...orders: object[]): Promise<void> => pushSettled(service, shop, orders);
  const figures = async (query: string): Promise<Record<string, unknown>> =>
    (await shop.call('GET', `/v1/metrics?${query}`)).body as Record<string, unknown>;

  it('says once, from the next morning on, what the day before brought, what changed since, and what is missing', async () => {
    const [today, before, old] = [startedAt, startedAt - DAY_MS, startedAt - 3 * DAY_MS].map((ms) => dayAt(ms));
    await push(placedOrder('old', startedAt - 3 * DAY_MS, '40'), placedOrder('before', startedAt - DAY_MS, '10'));
    await turnOn(hourAt(startedAt));
    const onAt = Date.now();
    // The hour was there already when it was turned on.
    await turn(10_000);
    expect(own()).to.deep.equal([]);

    await push(
      placedOrder('old', startedAt - 3 * DAY_MS, '45.5', { updated_at: new Date().toISOString() }),
      placedOrder('a', startedAt, '100', { gateway_fee: '3', customer: { id: 'c' } }),
      placedOrder('b', startedAt - 1000, '20'),
    );
    const spent = { channel: 'radio', event_date: today, currency: 'EUR', spend: '7.25' };
    expect((await shop.call('POST', '/v1/costs/spend', { rows: [spent] })).status).to.equal(200);
    await service.settled();
    // An hour before, then the hour.
    await turn(DAY_MS - HOUR_MS);
    expect(own()).to.deep.equal([]);
    const sentAt = DAY_MS + 60_000;
    await turn(sentAt);
    await turn(sentAt + 6 * 60_000);
    await turn(sentAt + 8 * HOUR_MS);
    expect(own()).to.have.length(1);
    const [{ payload, headers } = { payload: '', headers: {} }] = own();
    const { type, timestamp, data } = new Webhook(secret).verify(payload, headers) as {
      type: string;
      timestamp: string;
      data: Record<string, unknown> & { changed: { since: string } };
    };
    expect({ type, timestamp }).to.deep.equal({
      type: 'summary.morning',
      timestamp: new Date(startedAt + sentAt).toISOString(),
    });
    const { statement, changed, today: begun, day, shop_id } = data;
    expect({ day, shop_id }).to.deep.equal({ day: today, shop_id: shop.id });
    const asked = `from=${today}&to=${today}&include=expenses,coverage,statement&vs=before`;
    expect(statement).to.deep.equal(await figures(asked));
    expect(statement).to.include({ revenue: '120.00', ad_spend: '7.25', gateway_fees: '3.00', net_profit: '109.75' });
    expect(statement).to.have.nested.property('coverage.orders_without_cost', 2);
    expect(statement).to.have.nested.property('compared.revenue', '10.00');
    const since = Date.parse(changed.since);
    expect(since).to.be.within(startedAt, onAt);
    expect({ ...changed, since: '' }).to.deep.equal({
      since: '',
      days_changed: 1,
      change: '5.50',
      days: [{ date: old, before: '40.00', after: '45.50', change: '5.50' }],
    });
    // The day that has begun has no orders; the same hours of the day before are all that it had by then.
    const next = dayAt(startedAt + DAY_MS);
    const { compared: sameHours, ...now } = begun as Record<string, unknown>;
    expect(now).to.deep.equal(await figures(`from=${next}&to=${next}`));
    const earlier = new Date(startedAt + 60_000).toISOString();
    expect(sameHours).to.deep.include({ ...(await figures(`from=${today}&to=${today}`)) });
    expect(Date.parse((sameHours as { as_of: string }).as_of)).to.equal(Date.parse(earlier));
    expect(before).to.equal((statement as { compared: { from: string } }).compared.from);
  });

  it('is one a day, whatever the hour is changed to, of however many workers, and is open at no time', async () => {
    await push(placedOrder('a', startedAt, '100'));
    await turnOn(hourAt(startedAt));
    await turn(DAY_MS, 4);
    await turnOn(hourAt(startedAt) + 1);
    await turn(DAY_MS + 2 * HOUR_MS, 2);
    const first = own();
    expect(first).to.have.length(1);
    await turn(2 * DAY_MS + 2 * HOUR_MS, 2);
    expect(own().map(({ body }) => (body as { data: { day: string } }).data.day)).to.deep.equal([
      dayAt(startedAt),
      dayAt(startedAt + DAY_MS),
    ]);
    const { alerts }: AlertsAnswer = await json(await operator.get(path()));
    expect(alerts.map(({ kind, delivery, measured }) => `${kind} ${delivery} ${measured}`)).to.deep.equal([
      'morning_summary sent 0.00',
      'morning_summary sent 100.00',
    ]);
    expect(alerts.every(({ since, ended_at }) => since === ended_at)).to.equal(true);
  });

  it('is the same to the byte when it is sent again, though orders came meanwhile', async () => {
    receiver.answers.splice(0, 1, 500, 204);
    await push(placedOrder('a', startedAt, '100'));
    await turnOn(hourAt(startedAt));
    // As a worker that looked just now and ended before it sent.
    const raised: Alert = {
      alertId: randomUUID(),
      kind: 'morning_summary',
      day: dayAt(startedAt - DAY_MS),
      measured: '0.00',
      threshold: String(hourAt(startedAt)),
      since: Date.now(),
      endedAt: Date.now(),
      delivery: 'waiting',
      attempts: 0,
      nextAt: startedAt,
      problem: '',
    };
    const { warehouse, takeStamps } = service.stores;
    await createAlertStore(warehouse).write(shop.id, [raised], await takeStamps());
    await turn(10_000);
    await push(placedOrder('late', startedAt, '77'), placedOrder('later', startedAt - DAY_MS, '66'));
    await turn(2 * 60_000);
    const [failed, sent] = own();
    expect((sent?.body as { data: { today: object } }).data.today).to.include({ revenue: '100.00' });
    expect(sent?.payload).to.be.a('string').that.equals(failed?.payload);
    expect(sent?.headers['webhook-id']).to.equal(failed?.headers['webhook-id']);
  });

  it("is in Slack's form for addresses that take it, as is a test", async () => {
    await setWebhook('/services/slack');
    await push(placedOrder('a', startedAt, '100'));
    await turnOn(hourAt(startedAt));
    await json(await operator.post(`${path()}/webhook/test`, {}));
    await turn(DAY_MS);
    expect(own().map(({ body }) => body as unknown)).to.deep.equal([
      { text: `${shop.id}: this is a test. Alerts arrive here.` },
      {
        text: [
          `*${shop.id}, ${dayAt(startedAt)}: earned 100.00 EUR* (the day before: 0.00 EUR)`,
          '1 order · revenue 100.00 EUR · refunds 0.00 EUR · product costs 0.00 EUR · payment fees 0.00 EUR · ads 0.00 EUR',
          'Missing: product costs of 1 order, payment fees of 1 order, tax of 1 order, packing and shipping of 1 order',
          'Today so far: 0 orders, 0.00 EUR; the day before at the same hour: 0 orders, 0.00 EUR',
        ].join('\n'),
      },
    ]);
  });
});
