import type { ExpenseFrequency } from '../../domain/costs/expenses.js';
import type { AppliedSettings } from '../../domain/metrics/figures.js';
import { formatDecimal, fraction } from '../../domain/money.js';
import { parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { ONE_THREAD } from '../sql.js';
import { settingsThen } from './history.js';

/** What figures were computed with at a moment. */
export interface PastSettings extends AppliedSettings {
  /** Null before the shop was registered. */
  source: { currency: string; timezone: string } | null;
}

/** The settings that held at a moment, in microseconds since 1970. */
export type ReadPastSettings = (shopId: string, asOf: number) => Promise<PastSettings>;

interface SettingsRow {
  source: [string, string][];
  rules: [string[], string[], string[]];
  expenses: [string, string, ExpenseFrequency, string, number | null, boolean][];
}

const EXPENSE = 'amount, currency, frequency, started_on, last_day, counts_as_ad_spend, is_deleted';
// All of them in one query: whoever asks waits for them before it can ask for figures.
const SQL = `SELECT
  (SELECT groupArray((currency, timezone)) FROM ${settingsThen('sources', 'currency, timezone')}) AS source,
  (SELECT (groupArrayArray(gateways), groupArrayArray(percents), groupArrayArray(fixed))
   FROM ${settingsThen('gateway_fee_rules', 'rules.payment_gateway AS gateways, rules.percent AS percents, rules.fixed AS fixed')}) AS rules,
  (SELECT groupArray((toString(amount), currency, frequency, toString(started_on), last_day, counts_as_ad_spend))
   FROM ${settingsThen('expenses', EXPENSE, 'expense_id')} AND is_deleted = 0) AS expenses
  ${ONE_THREAD}`;

export function createPastSettingsReader(warehouse: Warehouse): ReadPastSettings {
  return async (shopId, asOf) => {
    const [row] = await warehouse.query<SettingsRow>(SQL, { shop: shopId, asOf });
    if (row === undefined) throw new RangeError('the past settings are one row');
    const [source] = row.source;
    const [gateways, percents, fixed] = row.rules;
    return {
      source: source === undefined ? null : { currency: source[0], timezone: source[1] },
      rules: gateways.map((gateway, i) => ({
        payment_gateway: gateway,
        percent: formatDecimal(fraction(percents[i] ?? '0')),
        fixed: formatDecimal(fraction(fixed[i] ?? '0')),
      })),
      expenses: row.expenses.map(([amount, currency, frequency, started, endedOn, countsAsAdSpend]) => ({
        ...{ currency, frequency, endedOn, countsAsAdSpend },
        amount: formatDecimal(fraction(amount)),
        startedOn: parseDay(started) ?? 0,
      })),
    };
  };
}
