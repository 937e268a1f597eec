import type { CustomerMetrics } from '../../../schemas/metrics.js';
import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import { Amount } from '../shared/amount.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { shopApi } from '../shared/api.js';
import { Answer } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { NoValue } from '../shared/no-value.js';
import { numbers, Table, words } from '../shared/table.js';
import { isOld, useRead } from '../shared/use-read.js';
import { isProfitAtMost } from '../statement/verdict.js';
import { CUSTOMER_KINDS } from '../orders/customer-words.js';
import { Cohorts } from './cohorts.js';

type CustomersAnswer = MetricsAnswer & { customers: CustomerMetrics };

const UNKNOWN = <NoValue why="not known" />;

/** New customers and those who came back, and when the advertising of each month paid back. */
export function Customers({ view }: { view: View }) {
  const { shop, from, to, address, currency } = view;
  const answer = useRead<CustomersAnswer>(
    shopApi(shop, `/v1/metrics?from=${from}&to=${to}&include=coverage,statement,customers`),
  );
  return (
    <div class={isOld(answer) ? 'stack stale' : 'stack'} aria-busy={answer.loading}>
      <section class="panel flush" aria-labelledby="customers">
        <div class="panel-head">
          <h2 id="customers">New and returning</h2>
        </div>
        <Answer of={answer} what="customers" rows={4}>
          {({ customers, ad_spend, coverage }) => (
            <>
              <Table
                label="New and returning"
                folds
                columns={[...words('Orders'), ...numbers('Count', 'Customers', 'Net revenue', 'Profit before ads')]}
              >
                {CUSTOMER_KINDS.map(({ kind, label }) => {
                  const isKnown = kind !== 'unknown';
                  const money = (what: 'net_revenue' | 'profit') =>
                    isKnown ? <Amount value={customers[`${what}_${kind}`]} currency={currency} /> : UNKNOWN;
                  return (
                    <tr key={kind}>
                      <th scope="row">
                        <a href={linkTo(address, pathOf(shop, 'orders'), { customer: kind })}>{label}</a>
                      </th>
                      <td class="number">{formatCount(customers[`orders_${kind}`])}</td>
                      <td class="number">{isKnown ? formatCount(customers[`${kind}_customers`]) : UNKNOWN}</td>
                      <td class="number">{money('net_revenue')}</td>
                      <td class="number">
                        {isKnown && isProfitAtMost(coverage) && <span class="soft">at most </span>}
                        {money('profit')}
                      </td>
                    </tr>
                  );
                })}
              </Table>
              <p class="panel-foot">
                Orders placed in these days, with their refunds of any day.{' '}
                {customers.cac !== null && (
                  <>
                    Ads cost <Amount value={ad_spend} currency={currency} />:{' '}
                    <Amount value={customers.cac} currency={currency} /> for each new customer.
                  </>
                )}
              </p>
            </>
          )}
        </Answer>
      </section>
      <Cohorts view={view} />
    </div>
  );
}
