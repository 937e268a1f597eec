import { Type } from 'typebox';
import { EXPENSE_FREQUENCIES } from '../../domain/costs/expenses.js';
import type { AppliedSettings } from '../../domain/metrics/figures.js';
import { canonicalDecimal } from '../../domain/money.js';
import { parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { ONE_THREAD } from '../sql.js';
import { CHANGES_AT, stateThen } from './history.js';
import { defineQuery, textOf, type RowOf } from '../query.js';

/** What figures were computed with at a moment. */
export interface PastSettings extends Omit<AppliedSettings, 'rates'> {
  /** Null before the shop was registered. */
  source: { currency: string; timezone: string; convertSpend: boolean } | null;
}

export interface FoundSettings {
  settings: PastSettings;
  /** Microseconds since 1970 of the first change after the moment; infinite where none is known. */
  changesAt: number;
}

/** The settings that held at a moment, in microseconds since 1970. */
export type ReadPastSettings = (shopId: string, asOf: number) => Promise<FoundSettings>;

const PAST_SETTINGS = defineQuery('past settings', {
  kind: textOf<'source' | 'fee_rule' | 'expense'>(),
  /** The terms of each that held, as the views `…_states` of `clickhouse/views/history` list them. */
  held: Type.Array(Type.Array(Type.Array(Type.String()))),
  changes_at: Type.String(),
});
type SettingRow = RowOf<typeof PAST_SETTINGS>;

// What is gone may be many times what held.
const SQL = `SELECT s.kind AS kind, groupArrayIf(s.state.3, s.state.1 <= {asOf:UInt64} AND s.state.2 = 0) AS held,
    min(s.changes_at) AS changes_at
  FROM (
    SELECT kind, ${stateThen('valid_from, is_deleted, terms')} AS state, ${CHANGES_AT} AS changes_at
    FROM settings_history
    WHERE shop_id = {shop:String} AND kind IN ('source', 'fee_rule', 'expense') AND valid_until > {asOf:UInt64} GROUP BY kind, id
  ) AS s GROUP BY s.kind ${ONE_THREAD}`;

export function createPastSettingsReader(warehouse: Warehouse): ReadPastSettings {
  return async (shopId, asOf) => {
    const rows = await warehouse.ask(PAST_SETTINGS(SQL, { shop: shopId, asOf }));
    const held = (kind: SettingRow['kind']): string[][][] => rows.find((row) => row.kind === kind)?.held ?? [];
    const [source] = held('source').map(([values = []]) => values);
    return {
      settings: {
        source:
          source === undefined
            ? null
            : { currency: source[0] ?? '', timezone: source[1] ?? '', convertSpend: source[2] === 'true' },
        rules: held('fee_rule').flatMap(toRules),
        expenses: held('expense').map(toExpense),
      },
      changesAt: Math.min(Infinity, ...rows.map((row) => Number(row.changes_at))),
    };
  };
}

function toRules([gateways = [], percents = [], fixed = []]: string[][]): PastSettings['rules'] {
  return gateways.map((gateway, i) => ({
    payment_gateway: gateway,
    percent: canonicalDecimal(percents[i] ?? '0'),
    fixed: canonicalDecimal(fixed[i] ?? '0'),
  }));
}

function toExpense([values = []]: string[][]): PastSettings['expenses'][number] {
  const [amount = '0', currency = '', named, started = '', lastDay = '', countsAsAdSpend] = values;
  const frequency = EXPENSE_FREQUENCIES.find((each) => each === named);
  if (frequency === undefined) throw new RangeError(`an expense of the frequency ${named}`);
  return {
    currency,
    frequency,
    countsAsAdSpend: countsAsAdSpend === 'true',
    amount: canonicalDecimal(amount),
    startedOn: parseDay(started) ?? 0,
    endedOn: lastDay === '' ? null : Number(lastDay),
  };
}
