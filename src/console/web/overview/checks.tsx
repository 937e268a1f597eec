import type { ComponentChildren } from 'preact';
import { linkTo, pathOf, settingsPath, type Address } from '../app/address.js';
import type { IngestStatus } from '../../../schemas/ingest-status.js';
import { shopApi } from '../shared/api.js';
import type { MetricsAnswer } from '../shared/answers.js';
import type { Tone } from '../shared/badge.js';
import { formatMoment } from '../shared/days.js';
import { formatCount, formatExactMoney } from '../shared/money.js';
import { CsvLink } from '../shared/csv-link.js';
import { useRead } from '../shared/use-read.js';
import { ofAll } from '../statement/verdict.js';
import { Cell } from './checks-cell.js';
import { PastDays } from './past-days.js';

/** Is it complete? Product costs, payment fees, tax, packing, whether data arrives, and whether past days changed. */
export function Checks(props: {
  shop: string;
  figures: MetricsAnswer;
  address: Address;
  /** Not as of a moment that is over. */
  isNow: boolean;
}) {
  const { shop, figures, address, isNow } = props;
  const { coverage } = figures;
  const { orders } = coverage;
  const status = useRead<IngestStatus>(shopApi(shop, '/v1/ingest/status'));
  if (orders === 0) return null;
  const waiting = status.data?.orders_unknown ?? 0;
  const last = status.data?.kinds.orders.last_received_at ?? null;
  const refused = Object.values(status.data?.kinds ?? {}).reduce((sum, { windows }) => sum + windows['7d'].rejected, 0);
  return (
    <section aria-label="Is it complete?" id="completeness">
      <ul class="panel flush checks">
        <Share
          name="Product costs"
          unknown={coverage.orders_without_cost}
          orders={orders}
          known="known"
          missing="missing"
          tone="bad"
        >
          {coverage.orders_without_cost > 0 && (
            <>
              {`${formatExactMoney(coverage.revenue_without_cost, figures.currency)} of revenue is without a full cost. `}
              <a href={linkTo(address, pathOf(shop, 'products'))}>
                Price {formatCount(coverage.products_without_cost)}{' '}
                {coverage.products_without_cost === 1 ? 'product' : 'products'}
              </a>
            </>
          )}
        </Share>
        <Share
          name="Payment fees"
          unknown={coverage.orders_without_fee}
          estimated={coverage.orders_fee_estimated}
          orders={orders}
          known="as charged"
          missing="missing"
          tone="bad"
        >
          {coverage.orders_fee_estimated + coverage.orders_without_fee > 0 && (
            <a href={settingsPath(shop, 'fees')}>{coverage.orders_without_fee > 0 ? 'Add a rule' : 'See the rules'}</a>
          )}
        </Share>
        <Share name="Tax" unknown={coverage.orders_without_tax} orders={orders} known="known" missing="missing">
          {coverage.orders_without_tax > 0 && 'Tax in their prices is still in the earnings. '}
        </Share>
        <Share
          name="Packing and shipping"
          unknown={coverage.orders_without_fulfillment}
          orders={orders}
          known="known"
          missing="missing"
        />
        <Cell
          tone={last === null ? 'calm' : refused > 0 ? 'warn' : 'good'}
          title={refused > 0 ? 'Some data was refused' : 'Data arrives'}
        >
          {status.data === null ? '' : last === null ? 'no order yet. ' : `last order ${formatMoment(last)}. `}
          {status.data !== null && (
            <a href={linkTo(address, pathOf(shop, 'connections'))}>
              {refused === 0 ? 'Nothing refused' : `${formatCount(refused)} refused in 7 days`}
            </a>
          )}
        </Cell>
        {isNow && waiting > 0 && (
          <Cell tone="warn" title="Costs without an order">
            for {formatCount(waiting)} {waiting === 1 ? 'order' : 'orders'} that did not come.{' '}
            <CsvLink shop={shop} path="/v1/costs/orders?unknown=1" label="Which" />
          </Cell>
        )}
        {isNow && <PastDays shop={shop} address={address} />}
        {figures.statement.operating_expenses === '0.00' && (
          <Cell tone="calm" title="No expenses known">
            for these days. <a href={settingsPath(shop, 'expenses')}>Add expenses</a>
          </Cell>
        )}
      </ul>
    </section>
  );
}

/** Known of all orders, estimated for some, or missing for some. */
function Share(props: {
  name: string;
  unknown: number;
  estimated?: number;
  orders: number;
  known: string;
  missing: string;
  tone?: Tone;
  children?: ComponentChildren;
}) {
  const { name, unknown, estimated = 0, orders, known, missing, tone = 'warn', children } = props;
  if (unknown > 0) {
    return (
      <Cell tone={tone} title={`${name} ${missing}`}>
        for {ofAll(unknown, orders)}
        {estimated > 0 && `, estimated for ${formatCount(estimated)}`}. {children}
      </Cell>
    );
  }
  return estimated > 0 ? (
    <Cell tone="calm" title={`${name} estimated`}>
      for {ofAll(estimated, orders)}. {children}
    </Cell>
  ) : (
    <Cell tone="good" title={`${name} ${known}`}>
      for {ofAll(orders, orders)}
    </Cell>
  );
}
