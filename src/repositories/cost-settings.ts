import { NO_RATES, rateTable } from '../domain/costs/rates.js';
import type { CostSettings, RatedSettings } from '../domain/metrics/figures.js';
import type { GatewayFeeRule } from '../schemas/gateway-fees.js';
import { settingsLock, type CostSettingsState } from '../redis/cost-settings.js';
import type { WithLock } from '../redis/locks.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { ShopCurrency } from '../domain/source.js';
import type { ReadRates } from '../warehouse/queries/rates.js';
import type { ExpenseStore } from '../warehouse/queries/expenses.js';
import type { GatewayFeeStore } from '../warehouse/queries/gateway-fees.js';

export interface CostSettingsDeps {
  state: CostSettingsState;
  rules: GatewayFeeStore;
  expenses: ExpenseStore;
  readRates: ReadRates;
  withLock: WithLock;
  takeStamps: TakeStamps;
}

/** The costs of a shop that apply when metrics are read: fee rules and expenses. */
export interface CostSettingsRegistry {
  /** For metrics: Redis → ClickHouse. A change shows in the next call, in every process. */
  find(shopId: string): Promise<CostSettings>;
  /** The same with the rates that hold on days of the range, if the shop converts. */
  over(shopId: string, source: ShopCurrency, range: DayRange): Promise<RatedSettings>;
  /** The fee rules as they were sent, canonical decimals. */
  rules(shopId: string): Promise<GatewayFeeRule[]>;
  /** Replaces all rules; gives the stamp of the change. Throws `store_unavailable`. */
  replaceRules(shopId: string, rules: readonly GatewayFeeRule[]): Promise<number>;
  /**
   * Runs one change of a shop's settings at a time, with a stamp that is newer than those of all earlier changes. Throws
   * `store_unavailable` if the lock, the stamp or the work fails.
   */
  change<T>(shopId: string, work: (stamp: number) => Promise<T>): Promise<T>;
}

export function createCostSettingsRegistry(deps: CostSettingsDeps): CostSettingsRegistry {
  const { state, rules, expenses, readRates, withLock, takeStamps } = deps;

  const change: CostSettingsRegistry['change'] = (shopId, work) =>
    withLock(settingsLock(shopId), async () => {
      await state.drop(shopId);
      try {
        return await work(await takeStamps());
      } finally {
        await state.drop(shopId);
      }
    });

  const find = async (shopId: string): Promise<CostSettings> => {
    // Without Redis, the warehouse is read.
    const copy = await state.get(shopId).catch(() => null);
    if (copy?.settings != null) return copy.settings;
    const [foundRules, foundExpenses] = await Promise.all([rules.find(shopId), expenses.list(shopId)]);
    const settings: CostSettings = { rules: foundRules, expenses: foundExpenses };
    if (copy !== null) await state.keep(shopId, settings, copy.revision).catch(() => undefined);
    return settings;
  };

  return {
    find,
    async over(shopId, { currency, convertSpend = false }, range) {
      const settings = await find(shopId);
      if (!convertSpend) return { ...settings, rates: NO_RATES };
      const currencies = settings.expenses.map((expense) => expense.currency);
      return { ...settings, rates: rateTable(await readRates({ shopId, shopCurrency: currency, range, currencies })) };
    },
    rules: (shopId) => rules.find(shopId),
    replaceRules: (shopId, list) =>
      change(shopId, async (stamp) => {
        await rules.write(shopId, list, stamp);
        return stamp;
      }),
    change,
  };
}
