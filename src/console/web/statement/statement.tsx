import { linkHere, type Address } from '../app/address.js';
import { Amount } from '../shared/amount.js';
import { amountsOf, type MetricsAnswer } from '../shared/answers.js';
import { addMoney, formatCount, negated } from '../shared/money.js';
import { amountOf, type StatementRow } from './rows.js';
import { isUnknown, unknownOrders } from './unknown.js';

interface Props {
  rows: readonly StatementRow[];
  /** Absent where the lines lead nowhere. */
  address?: Address;
  currency: string;
  /** Null while it is being read: the lines are in their place all the same. */
  now: MetricsAnswer | null;
  /** The period of the comparison; absent without one. */
  before?: MetricsAnswer | null;
}

/** Lines that add up from top to bottom; every amount opens what it is made of. */
export function Statement({ rows, address, currency, now, before }: Props) {
  return (
    <table class="statement">
      <caption class="unseen">How it comes about, line by line</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col" class="number">
            Amount
          </th>
          {before !== undefined && (
            <th scope="col" class="number wide-only">
              Changed earnings by
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const amount = now === null ? undefined : amountOf(row, amountsOf(now));
          return (
            <tr key={row.key} class={row.kind}>
              <th scope="row">
                {address === undefined ? (
                  row.label
                ) : (
                  <a class="door" href={linkHere(address, { figure: row.key, view: null, sort: null })}>
                    {row.label}
                  </a>
                )}
                {now !== null && <Aside row={row} now={now} />}
              </th>
              <td class="number">
                {now !== null && isUnknown(row, now) ? (
                  <data class="soft" value={amount ?? ''} data-row={row.key}>
                    not known
                  </data>
                ) : (
                  <Amount value={amount} currency={currency} row={row.key} />
                )}
              </td>
              {before !== undefined && (
                <td class="number wide-only change">
                  <Change row={row} now={now} before={before} currency={currency} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Change(props: {
  row: StatementRow;
  now: MetricsAnswer | null;
  before: MetricsAnswer | null;
  currency: string;
}) {
  const { row, now, before, currency } = props;
  if (now === null || before === null) return <Amount value={undefined} currency={currency} signed />;
  if (isUnknown(row, now) || isUnknown(row, before)) return <span class="amount soft">not known</span>;
  const change = addMoney(amountOf(row, amountsOf(now)), negated(amountOf(row, amountsOf(before))));
  return <Amount value={change} currency={currency} signed />;
}

/** The note after the name of a line. */
function Aside({ row, now }: { row: StatementRow; now: MetricsAnswer }) {
  const { coverage, orders } = now;
  const unknown = unknownOrders(row, now);
  const text =
    row.key === 'revenue'
      ? `${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'}`
      : row.key === 'gateway_fees' && coverage.orders_fee_estimated > 0
        ? '≈ estimated'
        : unknown > 0 && !isUnknown(row, now)
          ? `not known for ${formatCount(unknown)}`
          : '';
  return text === '' ? null : <span class="aside">{text}</span>;
}
