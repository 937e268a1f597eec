import { linkTo, pathOf } from '../app/address.js';
import { FILTERS } from '../app/csv-path.js';
import type { View } from '../app/view.js';
import type { BreakdownResponse, BreakdownTotals, Dimension } from '../../../schemas/breakdown.js';
import { Amount } from '../shared/amount.js';
import { shopApi } from '../shared/api.js';
import { Answer } from '../shared/frame.js';
import { formatCount, negated } from '../shared/money.js';
import { Pager } from '../shared/pager.js';
import { SortHead } from '../shared/sort-head.js';
import { isOld, useRead } from '../shared/use-read.js';
import { PAGE } from './list-params.js';
import { REFUNDS_NOTE } from './refunds-note.js';

const BY: Readonly<Record<Dimension, string>> = {
  country: 'Country',
  sales_channel: 'Sales channel',
  discount_code: 'Code',
  tag: 'Tag',
  payment_gateway: 'Payment',
  campaign: 'Campaign',
  customer: 'Customer',
};

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** How `/v1/orders` names them, where the name is another. */
const FILTER_OF: Partial<Record<string, string>> = { payment_gateway: 'gateway', customer: 'customer_id' };

/** Whether a cost in it is not known of some order. */
function isPartly(name: string, { cogs_complete: costs, orders_without_fee: fees }: BreakdownTotals): boolean {
  const isProfit = name === 'profit';
  return ((isProfit || name === 'cogs') && (costs ?? 100) < 100) || ((isProfit || name === 'gateway_fees') && fees > 0);
}

/** Profit of the orders by what they have in common (`GET /v1/breakdown`). */
export function Breakdown({ view }: { view: View }) {
  const { shop, from, to, address, currency } = view;
  const query = new URLSearchParams({ from, to, limit: String(PAGE) });
  for (const name of [...FILTERS.breakdown, 'cursor']) {
    const value = address.query.get(name);
    if (value !== null) query.set(name, value);
  }
  const answer = useRead<BreakdownResponse>(shopApi(shop, `/v1/breakdown?${query.toString()}`));
  const orders = (params: Record<string, string>): string => linkTo(address, pathOf(shop, 'orders'), params);
  const head = (label: string, sort: string, extra = '') => (
    <SortHead address={address} label={label} sort={sort} usual="revenue" class={extra} />
  );
  const cells = (sums: BreakdownTotals) => (
    <>
      <td class="number opt">{formatCount(sums.orders)}</td>
      {(['revenue', 'refunds', 'cogs', 'gateway_fees', 'profit'] as const).map((name) => (
        <td key={name} class={name === 'profit' ? 'number' : name === 'revenue' ? 'number wide-only' : 'number opt'}>
          {isPartly(name, sums) && <span class="soft">{name === 'profit' ? 'at most ' : 'not all known '}</span>}
          <Amount
            value={name === 'revenue' || name === 'profit' ? sums[name] : negated(sums[name])}
            currency={currency}
          />
        </td>
      ))}
    </>
  );
  return (
    <section
      class={isOld(answer) ? 'panel flush stale' : 'panel flush'}
      aria-label="Profit by"
      aria-busy={answer.loading}
    >
      <nav class="filters" aria-label="Profit by">
        <a class="chip" href={orders({})}>
          Each order
        </a>
        {Object.entries(BY).map(([by, label]) => {
          const isOn = address.query.get('by') === by;
          return (
            <a
              key={by}
              class={isOn ? 'chip on' : 'chip'}
              href={orders({ by })}
              aria-current={isOn ? 'true' : undefined}
            >
              {label}
            </a>
          );
        })}
      </nav>
      <Answer of={answer} what="profits" rows={12}>
        {(page) => (
          <>
            <div class="scroll" tabIndex={0} role="region" aria-label="Profit, table">
              <table class="list-table">
                <thead>
                  <tr>
                    <th scope="col">{BY[page.by]}</th>
                    {head('Orders', 'orders', 'opt')}
                    {head('Revenue', 'revenue', 'wide-only')}
                    {head('Refunds', 'refunds', 'opt')}
                    {head('Product costs', 'cogs', 'opt')}
                    {head('Payment fees', 'gateway_fees', 'opt')}
                    {head('Profit before ads', 'profit')}
                  </tr>
                </thead>
                <tbody>
                  <tr class="total">
                    <th scope="row">All orders</th>
                    {cells(page.totals)}
                  </tr>
                  {page.rows.map((row) => (
                    <tr key={row.key}>
                      <th scope="row">
                        {row.key === null ? (
                          'None'
                        ) : (
                          <a
                            class="door"
                            href={orders({
                              [FILTER_OF[page.by] ?? page.by]: row.key,
                              counted: '1',
                            })}
                          >
                            {page.by === 'country' ? COUNTRIES.of(row.key) : (row.name ?? row.key)}
                          </a>
                        )}
                        <span class="sub phone-only">
                          {formatCount(row.orders)} {row.orders === 1 ? 'order' : 'orders'}
                        </span>
                      </th>
                      {cells(row)}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Pager
              address={address}
              next={page.next}
              size={PAGE}
              listed={{ shown: page.rows.length, count: page.count, one: 'row' }}
            />
            <p class="panel-foot">
              {page.overlapping && 'An order with several is in the row of each: the rows may add up to more. '}
              {REFUNDS_NOTE}
            </p>
          </>
        )}
      </Answer>
    </section>
  );
}
