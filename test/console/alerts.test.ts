import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { useFreshShop, useService } from '../support/service.js';
import { startReceiver, type Receiver } from '../support/webhook-receiver.js';
import { json, OPERATOR_ENV, refusalOf, signInAsOperator, type Operator } from './support.js';

describe('settings of alerts in the app', () => {
  const service = useService({ workers: false, env: { ...OPERATOR_ENV, WEBHOOKS_TO_PRIVATE: '1' } });
  const shop = useFreshShop(service);
  let operator: Operator;
  let receiver: Receiver;
  let secret: string;

  before(async () => {
    operator = await signInAsOperator(service);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    ({ secret } = await json(await operator.send('PUT', `${path()}/webhook`, { url: receiver.url })));
  });
  afterEach(() => receiver.stop());

  const path = (id = shop.id): string => `/app/api/shops/${id}/alerts`;

  it('take usable thresholds and addresses alone, with all faults at once', async () => {
    const refused = async (body: unknown): Promise<string[]> => {
      const { errors } = await json(await operator.send('PUT', path(), body), 400);
      return (errors as { field: string }[]).map(({ field }) => field);
    };
    const rule = (kind: string, threshold: string) => ({ kind, is_on: true, threshold });
    expect(
      await refused({
        rules: [rule('data_stopped', '0'), rule('costs_fell', '101'), rule('day_lost', '-1'), rule('day_lost', '1e3')],
      }),
    ).to.deep.equal([
      'rules[0].threshold',
      'rules[1].threshold',
      'rules[2].threshold',
      'rules[3].kind',
      'rules[3].threshold',
    ]);
    expect(await refused({ rules: [rule('other', '1')] })).to.deep.equal(['rules[0].kind']);
    for (const url of ['ftp://example.com', 'nonsense', 'https://user:secret@example.com/', '']) {
      const answer = await operator.send('PUT', `${path()}/webhook`, { url });
      expect(answer.status, url).to.equal(400);
    }
    expect(await refusalOf(await operator.get(path('no-such-shop')))).to.equal('409 source_not_registered');
  });

  it('show the signing secret once, and seal it', async () => {
    const again = await json(await operator.send('PUT', `${path()}/webhook`, { url: receiver.url }));
    expect(again).to.deep.equal({ secret: null });
    const body = { url: receiver.url, new_secret: true };
    const other = await json(await operator.send('PUT', `${path()}/webhook`, body));
    expect(other.secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    expect(JSON.stringify(await json(await operator.get(path())))).not.to.include('whsec');
    const stored = await service.stores.warehouse.query<object>('SELECT * FROM alert_webhooks');
    expect(JSON.stringify(stored)).not.to.include('whsec');
  });

  it('send a test message, some times a minute', async () => {
    const test = () => operator.post(`${path()}/webhook/test`);
    expect(await json(await test())).to.include({ status: 204, problem: null });
    const [received] = receiver.received;
    const body = new Webhook(secret).verify(received?.payload ?? '', received?.headers ?? {});
    expect(body).to.deep.include({ type: 'alert.test', data: { shop_id: shop.id } });
    for (let i = 0; i < 5; i++) await test();
    expect(await refusalOf(await test())).to.equal('429 too_many_tries');
  });
});
