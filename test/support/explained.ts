import { expect } from 'chai';
import { EXPLAINABLE_FIGURES, type ExplainableFigure } from '../../src/domain/metrics/figure-list.js';
import type { Contribution, ExplainResponse } from '../../src/schemas/contributions.js';
import { wireMicros } from './cost-reference.js';
import type { Shop } from './service.js';

export interface Explained {
  total: string;
  count: number;
  entries: Contribution[];
}

/** All pages of an explanation. */
export async function explained(shop: Shop, query: string, limit: number): Promise<Explained> {
  const entries: Contribution[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await shop.call('GET', `/v1/metrics/explain?${query}&limit=${limit}${cursor}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    const page = body as ExplainResponse;
    expect(page.entries.length, query).to.be.at.most(limit);
    entries.push(...page.entries);
    if (page.next === undefined) return { total: page.total, count: page.count, entries };
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
}

const amountOf = (entry: Contribution): bigint => wireMicros(entry.amount);
const name = (entry: Contribution): string => JSON.stringify({ ...entry, amount: Number(entry.amount) });

/** The pages of figures of a range add up to them, whatever the order and the size of the pages. */
export async function expectExplained(
  shop: Shop,
  [from, to]: readonly [string, string],
  { figures = EXPLAINABLE_FIGURES, limit }: { figures?: readonly ExplainableFigure[]; limit: number },
): Promise<void> {
  const { body } = await shop.call('GET', `/v1/metrics?from=${from}&to=${to}&include=expenses,statement`);
  const figureOf = (name: string): string => String(body[name] ?? body.statement[name]);
  for (const figure of figures) {
    const range = `figure=${figure}&from=${from}&to=${to}`;
    const where = `${shop.id}: ${range}`;
    const byTime = await explained(shop, `${range}&sort=time`, 250);
    expectSum(byTime, figureOf(figure), where);
    const days = listed(byTime).map(({ date }) => date);
    expect(days, where).to.deep.equal([...days].sort().reverse());

    const byAmount = await explained(shop, `${range}&sort=amount`, limit);
    expectSum(byAmount, figureOf(figure), where);
    const amounts = listed(byAmount).map(amountOf);
    expect(amounts, where).to.deep.equal([...amounts].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
    expect(byAmount.entries.map(name).sort(), where).to.deep.equal(byTime.entries.map(name).sort());
  }
}

const listed = ({ entries }: Explained): Contribution[] => entries.filter(({ kind }) => kind !== 'rounding');

function expectSum({ total, count, entries }: Explained, figure: string, where: string): void {
  expect(total, where).to.equal(figure);
  expect(count, where).to.equal(entries.length);
  const sum = entries.reduce((micros, entry) => micros + amountOf(entry), 0n);
  expect(sum, where).to.equal(wireMicros(total));
  const left = entries.filter(({ kind }) => kind === 'rounding');
  expect(left.length, where).to.be.at.most(1);
  // No more than half a millionth an entry, and one half for the figure itself.
  for (const entry of left) expect(Math.abs(Number(amountOf(entry)))).to.be.at.most((entries.length + 1) / 2);
}
