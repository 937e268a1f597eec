import type { ComponentChildren } from 'preact';
import type { View } from '../app/view.js';
import type { OrderDetail } from '../../../schemas/order-detail.js';
import { Amount } from '../shared/amount.js';
import { formatMoment } from '../shared/days.js';
import { isAtMost } from './known.js';
import { formatCount, formatExactMoney, micros, negated } from '../shared/money.js';

interface LineProps {
  name: string;
  from: ComponentChildren;
  amount: string;
  kind?: 'sum' | 'last';
  marked?: boolean;
  row: string;
  /** Nothing of it is known: it is not shown as 0. */
  isUnknown?: boolean;
  /** Before the amount, such as `at most`. */
  word?: string | false;
}

/** From what was sold to what the order leaves; the refund that the address names is highlighted. */
export function OrderStatement({ order, view }: { order: OrderDetail; view: View }) {
  const marked = view.address.query.get('refund');
  const { currency } = order;
  const unknown = order.line_items.filter(({ cost_source }) => cost_source.from === 'unknown').length;
  const isTaxUnknown = order.counted && order.tax === undefined;
  const isFulfillmentUnknown = order.counted && order.fulfillment_cost === undefined;
  const line = (props: LineProps) => <Line key={props.row} {...props} currency={currency} />;
  return (
    <div class="scroll">
      <table class="statement">
        <caption class="unseen">Profit of the order, line by line</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col" class="wide-only">
              Where it comes from
            </th>
            <th scope="col" class="number">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {line({
            name: `Sold, ${lines(order.line_items.length)}`,
            from: `the order, ${formatMoment(order.placed_at)}`,
            amount: order.revenue,
            row: 'revenue',
          })}
          {order.refunds.map((refund) =>
            line({
              name: `Refund ${refund.refund_id}`,
              from: `${formatMoment(refund.refunded_at)}, ${refund.line_items.length === 0 ? 'no items named' : `${lines(refund.line_items.length)} named`}`,
              amount: negated(order.counted ? refund.total : '0'),
              marked: refund.refund_id === marked,
              row: `refund ${refund.refund_id}`,
            }),
          )}
          {line({
            name: 'Product costs',
            from:
              unknown === 0
                ? 'all known'
                : `${formatCount(unknown)} of ${lines(order.line_items.length)} without a unit cost`,
            amount: negated(order.cogs),
            isUnknown: order.counted && unknown > 0 && micros(order.cogs) === 0n,
            word: unknown > 0 && 'not all known',
            row: 'cogs',
          })}
          {line({
            name: order.fee_source === 'estimated' ? '≈ Payment fee, estimated' : 'Payment fee',
            from: feeSource(order),
            amount: negated(order.gateway_fees),
            isUnknown: order.counted && order.fee_source === 'none',
            row: 'gateway_fees',
          })}
          {line({
            name: 'Profit before ads',
            from: '',
            amount: order.profit,
            kind: 'sum',
            row: 'profit',
            word: isAtMost(order) && 'at most',
          })}
          {line({
            name: 'Taxes passed on',
            from:
              order.tax === undefined
                ? 'the order came without its tax'
                : `${formatExactMoney(order.tax, currency)} of tax`,
            amount: negated(order.taxes),
            isUnknown: isTaxUnknown && micros(order.taxes) === 0n,
            row: 'taxes',
          })}
          {line({
            name: 'Packing and shipping',
            from: order.fulfillment_cost === undefined ? 'not known' : 'as sent',
            amount: negated(order.counted ? (order.fulfillment_cost ?? '0') : '0'),
            isUnknown: isFulfillmentUnknown,
            row: 'fulfillment_cost',
          })}
          {line({
            name: 'Earnings, without ads and expenses',
            from: '',
            amount: order.earnings,
            kind: 'last',
            row: 'earnings',
            word: (isAtMost(order) || isTaxUnknown || isFulfillmentUnknown) && 'at most',
          })}
        </tbody>
      </table>
    </div>
  );
}

const lines = (count: number): string => `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`;

function feeSource({ fee_source: source, payment_gateway: gateway = 'a gateway' }: OrderDetail): string {
  if (source === 'none') return 'not known: neither sent nor a rule for it';
  return source === 'actual' ? 'as charged' : `the rule of ${gateway}`;
}

function Line({ name, from, amount, kind, marked, row, isUnknown, word, currency }: LineProps & { currency: string }) {
  return (
    <tr
      class={[kind, marked === true && 'marked'].filter(Boolean).join(' ')}
      aria-current={marked === true ? 'true' : undefined}
    >
      <th scope="row">{name}</th>
      <td class="wide-only soft">{from}</td>
      <td class="number">
        {isUnknown === true ? (
          <data class="soft" value={amount} data-row={row}>
            not known
          </data>
        ) : (
          <>
            {word !== undefined && word !== false && <span class="soft">{word} </span>}
            <Amount value={amount} currency={currency} row={row} />
          </>
        )}
      </td>
    </tr>
  );
}
