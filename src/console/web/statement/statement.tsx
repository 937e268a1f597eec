import { linkHere, type Address } from '../app/address.js';
import { Amount } from '../shared/amount.js';
import { amountsOf, type MetricsAnswer } from '../shared/answers.js';
import { formatCount } from '../shared/money.js';
import { Change } from './change.js';
import { amountOf, type StatementRow } from './rows.js';
import { stepsOf } from './steps.js';
import { isUnknown, unknownOrders } from './unknown.js';

interface Props {
  rows: readonly StatementRow[];
  /** Absent where the lines lead nowhere. */
  address?: Address;
  currency: string;
  /** Null while it is being read: the lines are in their place all the same. */
  now: MetricsAnswer | null;
  /** The period of the comparison, null while it is being read; absent without one: small bars show the steps then. */
  before?: MetricsAnswer | null | undefined;
  /** What is said after the name of a line, by its key. */
  notes?: Readonly<Record<string, string>>;
}

/** An amount of more digits leaves no room for a bar on a phone. */
const LONG = 15;

/** Lines that add up from top to bottom; every amount opens what it is made of. */
export function Statement({ rows, address, currency, now, before, notes = {} }: Props) {
  const isCompared = before !== undefined;
  const steps = now === null ? [] : stepsOf(rows, amountsOf(now));
  const isLong = now !== null && rows.some((row) => amountOf(row, amountsOf(now)).length > LONG);
  return (
    <table class={isLong ? 'statement long' : 'statement'} key={String(isCompared)}>
      <caption class="unseen">How it comes about, line by line</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          {!isCompared && <td class="step" />}
          <th scope="col" class="number">
            Amount
          </th>
          {isCompared && (
            <th scope="col" class="number wide-only">
              Changed earnings by
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => {
          const amount = now === null ? undefined : amountOf(row, amountsOf(now));
          const step = steps[i];
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
                {now !== null && <Aside text={notes[row.key] ?? noteOf(row, now)} />}
              </th>
              {!isCompared && (
                <td class="step">
                  <svg width="100%" height="12" aria-hidden="true">
                    {step !== undefined && step.width > 0 && (
                      <rect
                        class={step.tone}
                        x={`${step.left}%`}
                        y="2"
                        height="8"
                        style={{ width: `max(1px, ${step.width}%)` }}
                      />
                    )}
                  </svg>
                </td>
              )}
              <td class="number">
                {now !== null && isUnknown(row, now) ? (
                  <data class="soft" value={amount ?? ''} data-row={row.key}>
                    not known
                  </data>
                ) : (
                  <Amount value={amount} currency={currency} row={row.key} />
                )}
                {before !== undefined && (
                  <span class="sub phone-only">
                    <Change row={row} now={now} before={before} currency={currency} />
                  </span>
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

/** The note after the name of a line. */
function Aside({ text }: { text: string }) {
  return text === '' ? null : <span class="aside">{text}</span>;
}

function noteOf(row: StatementRow, now: MetricsAnswer): string {
  const { coverage, orders } = now;
  const unknown = unknownOrders(row, now);
  if (row.key === 'revenue') return `${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'}`;
  if (row.key === 'gateway_fees' && unknown === 0 && coverage.orders_fee_estimated > 0) return '≈ estimated';
  if (unknown === 0 || isUnknown(row, now)) return '';
  return `${formatCount(unknown)} missing`;
}
