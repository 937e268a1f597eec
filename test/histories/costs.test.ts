import { expect } from 'chai';
import fc from 'fast-check';
import { costHistoryArbitrary, HISTORY, type CostHistory } from '../support/cost-arbitrary.js';
import { EXPLAINABLE_FIGURES } from '../../src/domain/metrics/figure-list.js';
import { expectFigures } from '../support/cost-figures.js';
import { daysOf, referenceFigures, settle, type ReferenceState } from '../support/cost-reference.js';
import { sendCostPush } from '../support/cost-requests.js';
import { download, flat, given, readCsv } from '../support/exported.js';
import { expectExplained, explained } from '../support/explained.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';

/** Histories of one run live in shops of their own and go side by side. */
const histories = fc.array(costHistoryArbitrary, { minLength: 10, maxLength: 10 });
const RUNS = runs(1);

describe('random costs', function () {
  this.timeout(600_000);
  const service = useService();

  before(() => {
    service.startWorkers();
  });

  it('give the figures of a naive exact reference, by day and over ranges, and entries that add up to them', async () => {
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (list) => {
        const shops = await Promise.all(list.map(send));
        await service.settled();
        for (const [i, history] of list.entries()) {
          const shop = shops[i];
          if (shop !== undefined) await check(shop, history, turn++);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  async function send({ zone, pushes }: CostHistory): Promise<Shop> {
    const shop = await service.shop({ timezone: zone });
    for (const push of pushes) {
      const { status, body } = await sendCostPush(shop, push);
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 204, 404]);
      if (push.kind !== 'expense' && push.kind !== 'rules')
        expect(body, JSON.stringify(body)).to.include({ rejected: 0 });
    }
    return shop;
  }

  async function check(shop: Shop, { zone, pushes, range }: CostHistory, turn: number): Promise<void> {
    const state = settle(pushes);
    const { from, to } = HISTORY;
    const daily = (
      await shop.call('GET', `/v1/metrics/daily?from=${from}&to=${to}&include=coverage,expenses,statement`)
    ).body;
    const days = daysOf(from, to);
    expect(daily.days).to.have.length(days.length);
    for (const [i, day] of days.entries()) {
      expectFigures(daily.days[i], referenceFigures(state, zone, day, day), `${shop.id} on ${day}`);
    }
    const path = `/v1/metrics/daily?from=${from}&to=${to}&include=expenses,statement`;
    const file = readCsv(await download(service, path, shop.key, 'csv'));
    expect(file).to.have.length(days.length);
    for (const [i, row] of file.entries()) {
      const { statement, ...metrics } = daily.days[i];
      const names = Object.keys(row);
      expect(names).to.include.members(Object.keys(statement).map((name) => `statement_${name}`));
      for (const name of names) {
        const value = name.startsWith('statement_') ? statement[name.slice('statement_'.length)] : metrics[name];
        expect(row[name], `${name} of ${days[i]}`).to.equal(value === null ? null : String(value));
      }
    }
    for (const [first, last] of [[from, to], range] as [string, string][]) {
      const { body } = await shop.call(
        'GET',
        `/v1/metrics?from=${first}&to=${last}&include=expenses,coverage,statement&vs=before`,
      );
      const { compared } = body;
      const before = referenceFigures(state, zone, compared.from, compared.to);
      expectFigures(compared, before, `${shop.id} before ${first}`);
      expectFigures(body, referenceFigures(state, zone, first, last), `${shop.id} from ${first} to ${last}`);
      expect('currency_note' in body, `note from ${first} to ${last}`).to.equal(leftOut(state, first, last));
    }
    // Of the figures by turns; the last of them has the entries of all.
    const figure = EXPLAINABLE_FIGURES[turn % EXPLAINABLE_FIGURES.length] ?? 'revenue';
    await expectExplained(shop, range, { figures: [figure, 'net_profit_after_expenses'], limit: 61 });
    for (const sort of ['time', 'amount']) {
      const query = `figure=net_profit_after_expenses&from=${range[0]}&to=${range[1]}&sort=${sort}`;
      const { entries } = await explained(shop, query, 250);
      const rows = readCsv(await download(service, `/v1/metrics/explain?${query}`, shop.key, 'csv'));
      expect(rows.map(given), query).to.deep.equal(entries.map((entry) => Object.fromEntries(flat(entry))));
    }
  }
});

function leftOut({ spend, expenses }: ReferenceState, from: string, to: string): boolean {
  const foreignSpend = [...spend.values()].some(
    (row) => row.currency !== 'EUR' && Number(row.spend) !== 0 && row.event_date >= from && row.event_date <= to,
  );
  const foreignExpense = [...expenses.values()].some((expense) => {
    const last = expense.frequency === 'one_time' ? expense.started_on : (expense.ended_on ?? to);
    return expense.currency !== 'EUR' && expense.started_on <= to && last >= from;
  });
  return foreignSpend || foreignExpense;
}
