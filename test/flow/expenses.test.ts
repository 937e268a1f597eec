import { expect } from 'chai';
import type { ExpenseFields } from '../../src/domain/costs/expenses.js';
import { parseDay } from '../../src/domain/time.js';
import { managedExpenseId } from '../../src/repositories/expenses.js';
import { useFreshShop, useService } from '../support/service.js';

const PATH = '/v1/costs/expenses';

const expense = (fields: Record<string, unknown> = {}) => ({
  external_id: 'rent',
  name: 'Rent',
  category: 'other',
  amount: '310',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-01-01',
  ...fields,
});

const AGENCY: ExpenseFields = {
  name: 'Agency',
  category: 'marketing',
  amount: '31',
  currency: 'EUR',
  frequency: 'monthly',
  startedOn: parseDay('2026-01-01') ?? 0,
  endedOn: null,
  countsAsAdSpend: true,
};

describe('expenses', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const metrics = async (from: string, to = from) =>
    (await shop.call('GET', `/v1/metrics?from=${from}&to=${to}&include=expenses`)).body;
  const day = (text: string) => parseDay(text) ?? 0;
  const codes = ({ body }: { body: { errors: { code: string; field?: string }[] } }) =>
    body.errors.map(({ code, field }) => `${field ?? ''} ${code}`);

  it('ends on any day up to 9999-12-31, and tells a day outside as such', async () => {
    for (const ended_on of ['2148-12-31', '2149-01-01', '9999-12-31', null]) {
      const { body } = await shop.call('POST', PATH, expense({ ended_on }));
      expect(body.ended_on).to.equal(ended_on);
      expect((await shop.call('GET', PATH)).body.expenses[0].ended_on).to.equal(ended_on);
      expect((await metrics('2026-01-01')).operating_expenses).to.equal('10.00');
    }
    await shop.call('POST', PATH, expense({ ended_on: '9999-12-31', started_on: '2148-12-01' }));
    expect((await metrics('2148-12-31')).operating_expenses).to.equal('10.00');
    const refused = await shop.call('POST', PATH, expense({ ended_on: '1969-12-31', started_on: '2149-01-01' }));
    expect(refused.body.errors.map(({ message }: { message: string }) => message)).to.have.members([
      'ended_on must lie between 1970-01-01 and 9999-12-31; it is "1969-12-31".',
      'started_on must lie between 1970-01-01 and 2148-12-31; it is "2149-01-01".',
    ]);
  });

  it('creates, replaces, lists, updates and deletes by external id', async () => {
    const stored = { ...expense(), amount: '310.00', ended_on: null, counts_as_ad_spend: false };
    const created = await shop.call('POST', PATH, expense());
    expect([created.status, created.body]).to.deep.equal([201, { ...stored, receipt: created.body.receipt }]);
    const replaced = await shop.call('POST', PATH, expense({ amount: '320.5', ended_on: '2026-12-31' }));
    expect([replaced.status, replaced.body]).to.deep.equal([
      200,
      { ...stored, amount: '320.50', ended_on: '2026-12-31', receipt: replaced.body.receipt },
    ]);
    await shop.call('POST', PATH, expense({ external_id: 'a/b ü', name: 'Tools' }));
    const listed = (await shop.call('GET', PATH)).body.expenses;
    expect(listed.map((item: { external_id: string }) => item.external_id)).to.deep.equal(['a/b ü', 'rent']);

    const body = expense({ external_id: undefined, counts_as_ad_spend: true, ended_on: null });
    const path = `${PATH}/${encodeURIComponent('a/b ü')}`;
    const updated = await shop.call('PATCH', path, body);
    expect(updated.status).to.equal(200);
    expect(updated.body).to.deep.equal({
      ...stored,
      external_id: 'a/b ü',
      counts_as_ad_spend: true,
      receipt: updated.body.receipt,
    });
    expect((await shop.call('PATCH', path, { ...body, external_id: 'a/b ü' })).status).to.equal(200);

    const deleted = await shop.call('DELETE', path);
    expect([deleted.status, deleted.body]).to.deep.equal([204, '']);
    expect((await shop.call('DELETE', path)).status).to.equal(404);
    expect((await shop.call('PATCH', path, body)).status).to.equal(404);
    expect((await shop.call('GET', PATH)).body.expenses).to.have.length(1);
    expect((await shop.call('POST', PATH, { ...body, external_id: 'a/b ü' })).status).to.equal(201);
  });

  it('reports every fault of the body at once', async () => {
    const wrong = await shop.call('POST', PATH, {
      ...expense({ amount: 5, ended_on: '2025-12-31', frequency: 'daily', extra: 1 }),
      name: undefined,
    });
    expect(wrong.status).to.equal(400);
    expect(codes(wrong)).to.have.members([
      'name missing_field',
      'amount money_must_be_string',
      'frequency invalid_value',
      'extra unknown_field',
      'ended_on invalid_value',
    ]);
    const mismatch = await shop.call(
      'PATCH',
      `${PATH}/rent`,
      expense({ external_id: 'other', started_on: '2026-02-30' }),
    );
    expect(codes(mismatch)).to.have.members(['external_id external_id_mismatch', 'started_on invalid_value']);
    expect(codes(await shop.call('POST', PATH, [expense()]))).to.deep.equal([' invalid_type']);
    expect((await shop.call('PATCH', `${PATH}/rent`, expense())).body.errors[0].code).to.equal('not_found');
    const reader = await service.key(shop.id, 'publishable');
    expect((await service.call('GET', PATH, { key: reader })).status).to.equal(403);
    const stranger = await service.key(`none-${shop.id}`);
    expect((await service.call('POST', PATH, { key: stranger, body: expense() })).status).to.equal(409);

    const logged = await service.stores.warehouse.query(
      `SELECT accepted, rejected, errors.code AS codes FROM ingest_log FINAL
       WHERE shop_id = {shop:String} AND kind = 'expenses' ORDER BY received_at`,
      { shop: shop.id },
    );
    expect(logged).to.have.length(4);
    expect(logged.at(-1)).to.deep.equal({ accepted: 0, rejected: 1, codes: ['not_found'] });
  });

  it('makes one record of concurrent upserts, of which one creates', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => shop.call('POST', PATH, expense({ amount: String(i) }))),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 200, 200, 200, 200, 201]);
    expect((await shop.call('GET', PATH)).body.expenses).to.have.length(1);
  });

  it('leaves an expense in another currency out and says so', async () => {
    await shop.call('POST', PATH, expense({ currency: 'USD' }));
    expect(await metrics('2026-01-05')).to.include({
      operating_expenses: '0.00',
      currency_note: 'Not in EUR and therefore left out: USD (expenses).',
    });
    const plain = (await shop.call('GET', '/v1/metrics?from=2026-01-05&to=2026-01-05')).body;
    expect(plain).not.to.have.property('currency_note');
    await shop.call('POST', PATH, expense({ currency: 'USD', counts_as_ad_spend: true }));
    const noted = (await shop.call('GET', '/v1/metrics?from=2026-01-05&to=2026-01-05')).body;
    expect(noted.currency_note).to.contain('USD (expenses)');
    const accrued = { currency: 'EUR', external_id: 'same', counts_as_ad_spend: true };
    await shop.call('POST', PATH, expense(accrued));
    const { ad_spend } = (await shop.call('GET', '/v1/metrics?from=2026-01-05&to=2026-01-05')).body;
    expect(noted.left_out).to.deep.equal([{ channel: 'expenses', currency: 'USD', ad_spend }]);
    await shop.call('DELETE', `${PATH}/same`);
    expect(await metrics('2025-12-31')).not.to.have.property('currency_note');
  });

  it('counts what was made in the app, which the API neither lists, changes nor deletes', async () => {
    const { expenses } = service.stores;
    const { expense: made } = (await expenses.createInApp(shop.id, AGENCY)) ?? {};
    if (made === undefined) throw new Error('the shop is full');
    expect(await metrics('2026-01-31')).to.include({ ad_spend: '1.00' });
    expect((await shop.call('GET', PATH)).body).to.deep.equal({ expenses: [] });
    for (const id of [made.expenseId, 'null', '']) {
      expect((await shop.call('DELETE', `${PATH}/${id}`)).status, id).to.be.oneOf([404, 405]);
      expect(
        (await shop.call('PATCH', `${PATH}/${id}`, expense({ external_id: id === '' ? 'x' : id }))).status,
      ).to.be.oneOf([404, 405]);
    }
    await shop.call('POST', PATH, expense({ external_id: made.expenseId, amount: '62', counts_as_ad_spend: true }));
    expect(await metrics('2026-01-31')).to.include({ ad_spend: '3.00' });
    expect((await expenses.listAll(shop.id)).map((item) => item.externalId)).to.deep.equal([made.expenseId, null]);

    await expenses.end(shop.id, made.expenseId, day('2026-01-30'));
    expect(await metrics('2026-01-31')).to.include({ ad_spend: '2.00' });
    await expenses.edit(shop.id, made.expenseId, { ...AGENCY, amount: '310' });
    expect(await metrics('2026-01-31')).to.include({ ad_spend: '12.00' });
    expect(await expenses.removeById(shop.id, made.expenseId)).to.equal(true);
    expect(await expenses.removeById(shop.id, made.expenseId)).to.equal(false);
    expect(await metrics('2026-01-31')).to.include({ ad_spend: '2.00' });
  });

  it('refuses one more than 5,000 of a shop, here and in the app, and goes on to change those that are there', async () => {
    const full = await service.shop();
    const row = {
      shop_id: full.id,
      name: 'Invoice',
      category: 'other',
      amount: '1',
      currency: 'EUR',
      frequency: 'one_time',
      started_on: '2026-01-01',
      end_day: null,
      counts_as_ad_spend: false,
    };
    const ids = Array.from({ length: 5_000 }, (_, i) => `invoice-${i}`);
    const rows = ids.map((id) => ({ ...row, expense_id: managedExpenseId(id), external_id: id, version: 1 }));
    await service.stores.warehouse.insert('expenses', rows);

    const refused = await full.call('POST', PATH, expense({ external_id: 'more' }));
    expect([refused.status, refused.body.errors[0].code]).to.deep.equal([400, 'too_many']);
    expect(refused.body.errors[0].message).to.contain('5000 expenses');
    expect((await full.call('POST', PATH, expense({ external_id: 'invoice-0' }))).status).to.equal(200);
    expect((await full.call('DELETE', `${PATH}/invoice-1`)).status).to.equal(204);
    expect((await full.call('POST', PATH, expense({ external_id: 'more' }))).status).to.equal(201);
    expect(await service.stores.expenses.createInApp(full.id, AGENCY)).to.equal(null);
  });
});
