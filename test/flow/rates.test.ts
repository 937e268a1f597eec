import { expect } from 'chai';
import { useFreshShop, useService } from '../support/service.js';

describe('PUT and GET /v1/rates', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'UTC' });
  const other = useFreshShop(service, { timezone: 'UTC' });

  const put = (...rates: object[]) => shop.call('PUT', '/v1/rates', { rates });
  const list = async (query = '') => {
    const { status, body } = await shop.call('GET', `/v1/rates${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.rates.map(({ currency, day, rate }: Record<string, string>) => `${currency} ${day} ${rate}`);
  };

  it('keeps the newest rate of a currency and day, and null takes it back', async () => {
    const { status, body } = await put(
      { currency: 'USD', day: '2026-03-02', rate: '0.90' },
      { currency: 'GBP', day: '2026-03-02', rate: '1.153000000001' },
      { currency: 'USD', day: '2026-03-01', rate: '999999999999.999999999999' },
    );
    expect(status).to.equal(200);
    expect(body).to.include({ accepted: 3, rejected: 0 });
    expect(body.receipt).to.be.a('string');
    await put(
      { currency: 'USD', day: '2026-03-02', rate: '0.9217' },
      { currency: 'USD', day: '2026-03-01', rate: null },
    );
    await put({ currency: 'JPY', day: '2026-03-05', rate: '0.00548' });
    await service.settled();
    expect(await list()).to.deep.equal([
      'GBP 2026-03-02 1.153000000001',
      'JPY 2026-03-05 0.00548',
      'USD 2026-03-02 0.9217',
    ]);
    expect(await list('?currency=JPY')).to.deep.equal(['JPY 2026-03-05 0.00548']);
    expect(await list('?from=2026-03-03')).to.deep.equal(['JPY 2026-03-05 0.00548']);
    expect(await list('?to=2026-03-04&currency=GBP')).to.deep.equal(['GBP 2026-03-02 1.153000000001']);
    const pushes = await shop.call('GET', '/v1/ingest/pushes?kind=rates');
    expect(pushes.body.pushes).to.have.length(3);
    const seen = await other.call('GET', '/v1/rates');
    expect(seen.body).to.deep.equal({ rates: [] });
  });

  it('goes on where a page ended', async () => {
    const days = Array.from({ length: 5 }, (_, i) => `2026-04-0${i + 1}`);
    await put(...days.flatMap((day) => ['CHF', 'SEK'].map((currency) => ({ currency, day, rate: '1.05' }))));
    await service.settled();
    const found: string[] = [];
    let next: string | undefined;
    do {
      const query = `?from=2026-04-01&limit=3${next === undefined ? '' : `&cursor=${next}`}`;
      const { body } = await shop.call('GET', `/v1/rates${query}`);
      found.push(...body.rates.map(({ currency, day }: Record<string, string>) => `${currency} ${day}`));
      ({ next } = body);
    } while (next !== undefined);
    expect(found).to.deep.equal(['CHF', 'SEK'].flatMap((currency) => days.map((day) => `${currency} ${day}`)));
  });

  it('says what is wrong with each rate, and takes the others', async () => {
    const rate = { currency: 'USD', day: '2026-05-01', rate: '1' };
    const { body } = await put(
      rate,
      { ...rate, rate: '0.000' },
      { ...rate, rate: '-1' },
      { ...rate, rate: '1.0000000000001' },
      { ...rate, rate: '1000000000000' },
      { ...rate, rate: 0.9 },
      { ...rate, currency: 'EUR' },
      { ...rate, currency: 'usd', day: '2026-02-30' },
      { currency: 'USD', day: '2026-05-01' },
    );
    expect(body).to.include({ accepted: 1, rejected: 8 });
    const faults = body.results.map(({ errors = [] }: { errors?: { code: string; field: string }[] }) =>
      errors.map(({ code, field }) => `${field} ${code}`),
    );
    expect(faults).to.deep.equal([
      [],
      ['rate invalid_value'],
      ['rate invalid_value'],
      ['rate invalid_value'],
      ['rate invalid_value'],
      ['rate invalid_type'],
      ['currency invalid_value'],
      ['currency invalid_value', 'day invalid_value'],
      ['rate missing_field'],
    ]);
    expect((await shop.call('GET', '/v1/rates?from=2026-05-02&to=2026-05-01')).body.errors[0]).to.include({
      code: 'invalid_range',
    });
    expect((await shop.call('GET', '/v1/rates?currency=euro')).status).to.equal(400);
  });
});
