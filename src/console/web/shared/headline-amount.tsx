import { Amount } from './amount.js';
import { splitMoney } from './money.js';

const SHORT = 12;

/** An amount in large digits, smaller where it has so many that they would not fit. */
export function HeadlineAmount(props: { value: string | undefined; currency: string; isSigned?: boolean }) {
  const { value, currency, isSigned = false } = props;
  const { before, tail, after } = splitMoney(value ?? '0', currency, isSigned ? 'exceptZero' : 'auto');
  const digits = Math.max(SHORT, (before + tail + after).length);
  return (
    <span class={value?.startsWith('-') === true ? 'loud negative' : 'loud'} style={{ '--digits': String(digits) }}>
      <Amount value={value} currency={currency} signed={isSigned} />
    </span>
  );
}
