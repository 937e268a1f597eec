import type { Cohort, CohortsResponse } from '../../../schemas/cohorts.js';
import { linkHere, linkTo, pathOf } from '../app/address.js';
import { COLUMNS } from '../app/columns.js';
import { cohortsBy, cohortsPath } from '../app/csv-path.js';
import type { View } from '../app/view.js';
import { Amount } from '../shared/amount.js';
import { shopApi } from '../shared/api.js';
import { formatRange } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { formatCount, micros } from '../shared/money.js';
import { NoValue } from '../shared/no-value.js';
import { isOld, useRead } from '../shared/use-read.js';
import { isProfitAtMost } from '../statement/verdict.js';

/** Months, with the first one, of which the profit is shown. */
const AFTER = [1, 3, 6, 12] as const;

/** Customers by the period of their first order: what they brought since, and when that was what their ads had cost. */
export function Cohorts({ view }: { view: View }) {
  const { shop, address } = view;
  const by = cohortsBy(address.query);
  const answer = useRead<CohortsResponse>(shopApi(shop, cohortsPath(view)));
  return (
    <section
      class={isOld(answer) ? 'panel flush stale' : 'panel flush'}
      aria-labelledby="cohorts"
      aria-busy={answer.loading}
    >
      <div class="panel-head">
        <h2 id="cohorts">When customers paid back</h2>
        <nav class="segments" aria-label="Customers by">
          {(['month', 'quarter'] as const).map((one) => (
            <a
              key={one}
              href={linkHere(address, { by: one === 'month' ? null : one })}
              aria-current={one === by ? 'true' : undefined}
            >
              {COLUMNS[one].label}
            </a>
          ))}
        </nav>
      </div>
      <Answer of={answer} what="cohorts" rows={13}>
        {({ cohorts }) => <CohortTable view={view} cohorts={withCustomers(cohorts)} />}
      </Answer>
      <p class="panel-foot">
        Profit before ads of all orders since the first one, by months with that of the first order. Paid back: as much
        as the ads of the period cost. Older orders that arrive change it.
      </p>
    </section>
  );
}

/** The newest first, without those before the first that has customers or ads. */
function withCustomers(cohorts: readonly Cohort[]): Cohort[] {
  const first = cohorts.findIndex(({ customers, ad_spend }) => customers > 0 || micros(ad_spend) !== 0n);
  return first < 0 ? [] : cohorts.slice(first).reverse();
}

function CohortTable({ view, cohorts }: { view: View; cohorts: readonly Cohort[] }) {
  const { address, currency, shop } = view;
  if (cohorts.length === 0) return <p class="empty">No order up to {view.to} says whose it is.</p>;
  const head = (label: string, extra: string) => (
    <th key={label} scope="col" class={`number ${extra}`}>
      {label}
    </th>
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Cohorts, table">
      <table class="list-table">
        <thead>
          <tr>
            <th scope="col">First order</th>
            {head('Customers', 'wide-only')}
            {head('Ads', 'opt')}
            {head('For each', 'opt')}
            {AFTER.map((months) => head(months === 1 ? '1 month' : `${months} months`, 'opt'))}
            {head('Profit so far', '')}
            {head('Paid back', 'wide-only')}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => {
            const { from, to, customers, cac, ad_spend, months } = cohort;
            const amount = (value: string | null | undefined, why: string) =>
              value == null ? <NoValue why={why} /> : <Amount value={value} currency={currency} />;
            const profit = (count: number, why: string) => (
              <>
                {months.slice(0, count).some(isProfitAtMost) && months[count - 1] && <div class="soft">at most</div>}
                {amount(months[count - 1]?.profit_total, why)}
              </>
            );
            return (
              <tr key={from}>
                <th scope="row">
                  <a
                    class="door"
                    href={linkTo(address, pathOf(shop, 'orders'), { range: null, from, to, customer: 'new' })}
                  >
                    {formatRange({ from, to }, view.to)}
                  </a>
                  <span class="sub phone-only">
                    {formatCount(customers)} {customers === 1 ? 'customer' : 'customers'}, {paybackWords(cohort)}
                  </span>
                </th>
                <td class="number wide-only">{formatCount(customers)}</td>
                <td class="number opt">{amount(ad_spend, '')}</td>
                <td class="number opt">{amount(cac, 'no customers')}</td>
                {AFTER.map((count) => (
                  <td key={count} class="number opt">
                    {profit(count, 'not over')}
                  </td>
                ))}
                <td class="number">{profit(months.length, 'no orders')}</td>
                <td class="number wide-only">{paybackWords(cohort)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function paybackWords({ customers, ad_spend, payback_month: month }: Cohort): string {
  if (customers === 0) return 'no customers';
  if (micros(ad_spend) === 0n) return 'no ads';
  if (month === null) return 'not yet';
  return `in month ${month + 1}`;
}
