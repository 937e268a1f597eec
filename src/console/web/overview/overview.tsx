import { linkHere } from '../app/address.js';
import { navigate } from '../app/navigation.js';
import { periodOf } from '../app/periods.js';
import { LeftOut } from '../channels/left-out.js';
import { rangeParams, vsOf } from '../app/range.js';
import type { View } from '../app/view.js';
import type { ProductsResponse } from '../../../schemas/products.js';
import { shopApi } from '../shared/api.js';
import { comparableOf, type ComparedAnswer, type DailyAnswer, type MetricsAnswer } from '../shared/answers.js';
import { lengthOf, type Range } from '../shared/days.js';
import { Failed } from '../shared/frame.js';
import { isOld, useRead } from '../shared/use-read.js';
import { Sheet } from '../sheet/sheet.js';
import { ROWS } from '../statement/rows.js';
import { Statement } from '../statement/statement.js';
import { AsOf, asOfParam } from './as-of.js';
import { BestProducts } from './best-products.js';
import { Checks } from './checks.js';
import { Days } from './days.js';
import { HeavyOrders } from './heavy-orders.js';
import { Headline } from './headline.js';
import { OfDay } from './of-day.js';
import { NoActivity } from './no-activity.js';
import { Ratios } from './ratios.js';

/** Rows of a list that only begins here. */
const FEW = 5;

/** What was earned, whether that is complete, and how it came about. */
export function Overview({ view }: { view: View }) {
  const { shop, address, currency } = view;
  const range: Range = { from: view.from, to: view.to };
  const asOf = address.query.get('as_of');
  const days = `from=${range.from}&to=${range.to}`;
  const past = `${vsOf(view)}${asOfParam(asOf)}`;
  const now = useRead<ComparedAnswer>(shopApi(shop, `/v1/metrics?${days}&include=coverage,statement${past}`));
  const { by } = periodOf(range, address.query);
  const daily = useRead<DailyAnswer>(
    lengthOf(range) === 1
      ? null
      : shopApi(shop, `/v1/metrics/daily?${days}&include=statement${by === 'day' ? '' : `&by=${by}`}${past}`),
  );
  const isDaily = lengthOf(range) === 1 || daily.data !== null || daily.failure !== null;
  const figures = now.data;
  const best = useRead<ProductsResponse>(
    figures === null || asOf !== null ? null : shopApi(shop, `/v1/products?${days}&sort=gross_profit&limit=${FEW}`),
  );
  const before = figures === null ? undefined : comparableOf(figures);
  const isQuiet = figures !== null && !now.loading && hasNothing(figures);
  return (
    <div class={isOld(now) ? 'stack stale' : 'stack'} aria-busy={now.loading}>
      {asOf !== null && <AsOf moment={asOf} view={view} />}
      <Failed of={now} what="figures" />
      {isQuiet && (
        <NoActivity shop={shop} range={range} setRange={(next) => navigate(linkHere(address, rangeParams(next)))} />
      )}
      <section class="panel flush hero" aria-label="Earnings">
        <div class="lhs">
          <Headline figures={figures} readAt={now.readAt} currency={currency} address={address} />
          {lengthOf(range) === 1 ? <OfDay view={view} /> : <Days view={view} daily={daily} />}
        </div>
        <div class="rhs">
          <div class="row far">
            <h2>How it came about</h2>
            {asOf === null && <a href={linkHere(address, { columns: 'month' })}>Months side by side</a>}
          </div>
          <Statement
            rows={ROWS}
            {...(asOf === null && { address })}
            currency={currency}
            now={figures}
            before={figures === null && view.vs !== 'none' ? null : before}
          />
        </div>
      </section>
      {figures !== null && (
        <>
          {figures.currency_note !== undefined && (
            <LeftOut entries={figures.left_out ?? []} note={figures.currency_note} currency={currency} />
          )}
          <Checks shop={shop} figures={figures} address={address} isNow={asOf === null} />
          <Ratios figures={figures} before={before} currency={currency} />
          {asOf === null && (
            <div class="columns two">
              <HeavyOrders view={view} shown={FEW} />
              <BestProducts view={view} best={best} />
            </div>
          )}
        </>
      )}
      {asOf === null && (
        <Sheet
          view={view}
          figures={figures}
          days={isDaily ? (daily.data?.days ?? []) : null}
          products={best.data?.count}
        />
      )}
    </div>
  );
}

/** True where nothing was sold, returned or advertised; expenses go on all the same. */
function hasNothing({ orders, refunds, ad_spend, gateway_fees, cogs }: MetricsAnswer): boolean {
  return orders === 0 && [refunds, ad_spend, gateway_fees, cogs].every((money) => money === '0.00');
}
