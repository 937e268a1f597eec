import { accrual, type Expense } from '../../../src/domain/costs/expenses.js';
import type { CostSettings } from '../../../src/domain/metrics/figures.js';
import { toMicros } from '../../../src/domain/micros.js';
import { decimal, ofMicros, whole } from '../../../src/domain/money.js';
import { formatDay } from '../../../src/domain/time.js';
import { expectedDays } from './expected.js';
import { daysOfExpenses, type SimulatedExpense, type SimulatedItem } from './items.js';
import { countsOver, type HistoryRecord } from './record.js';
import type { Api } from './service.js';

/** A read of figures after a change was answered knows it: `moment` is that of the answer. */
export async function readExpenses(api: Api, shopId: string, moment: number, record: HistoryRecord): Promise<void> {
  let settings: CostSettings;
  try {
    settings = await api.stores.costSettings.find(shopId);
  } catch {
    return; // a store is away
  }
  if (record.hasFailover) return;
  const claims = record.expenseClaims.filter(({ shopId: shop }) => shop === shopId);
  const seen = new Map(settings.expenses.map(({ amount }) => [String(toMicros(amount)), amount]));
  const known = claims.filter(({ item }) => seen.has(item.tag));
  for (const claim of claims) {
    if (claim.outcome !== 'accepted' || claim.end > moment) continue;
    const read = known.filter(({ item }) => item.key === claim.item.key);
    if (read.length === 0) record.violations.push(`${shopId} ${claim.item.key}: a read knows no such expense`);
    else if (read.every((other) => countsOver(claim, other))) {
      record.violations.push(`${shopId} ${claim.item.key}: a read does not know ${claim.item.tag}`);
    }
  }
}

interface Accrued {
  shopId: string;
  stored: readonly Expense[];
  counting: readonly SimulatedItem[];
  /** Days that items fall on. */
  days: number;
}

/** What the expenses come to on each day is what was pushed comes to. */
export function checkExpenses({ shopId, stored, counting, days }: Accrued, found: string[]): void {
  const range = daysOfExpenses(days);
  const sales = expectedDays(counting);
  const pushed = counting.filter((item): item is SimulatedExpense => item.kind === 'expenses');
  const accrue = accrual(stored, range);
  for (let day = range.from; day <= range.to; day++) {
    const { orders, revenue } = sales.get(day) ?? { orders: 0, revenue: 0n };
    const sums = { orders: whole(orders), revenue: ofMicros(revenue) };
    const volume = { day, sums };
    const own = pushed.map((expense) => accrued(expense, day, { orders, revenue }));
    const [expected, read] = [own.reduce(add, { num: 0n, den: 1n }), accrue({ from: day, to: day }, [volume])];
    if (!decimal(expected.num * read.den).eq(read.num.times(decimal(expected.den)))) {
      found.push(
        `${shopId} ${formatDay(day)}: expenses of ${text(expected)}, and ${read.num.toFixed()}/${String(read.den)} are read`,
      );
    }
  }
}

/** An exact fraction, computed without the code under test. */
interface Exact {
  num: bigint;
  den: bigint;
}

/** What one expense comes to on one day; amounts in millionths. */
function accrued(
  { amount, frequency, from, to }: SimulatedExpense,
  day: number,
  { orders, revenue }: { orders: number; revenue: bigint },
): Exact {
  const isOver = frequency === 'one_time' ? day > from : to !== null && day > to;
  if (day < from || isOver) return { num: 0n, den: 1n };
  const part = (den: bigint, num = amount): Exact => ({ num, den: den * 1_000_000n });
  const date = new Date(day * 86_400_000);
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const year = (Date.UTC(date.getUTCFullYear() + 1, 0) - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000;
  switch (frequency) {
    case 'monthly':
      return part(BigInt(month));
    case 'weekly':
      return part(7n);
    case 'yearly':
      return part(BigInt(year));
    case 'one_time':
      return part(1n);
    case 'per_order':
      return part(1n, amount * BigInt(orders));
    case 'percent_of_revenue':
      return part(100n * 1_000_000n, amount * revenue);
  }
}

const add = (a: Exact, b: Exact): Exact => ({ num: a.num * b.den + b.num * a.den, den: a.den * b.den });
const text = ({ num, den }: Exact): string => `${String(num)}/${String(den)}`;
