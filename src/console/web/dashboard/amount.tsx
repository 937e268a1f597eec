import { splitMoney } from '../shared/money.js';

interface Props {
  /** Exact. */
  value: string;
  currency: string;
  /** The line of a statement that it is of. */
  row?: string;
  /** With a plus before what is more than nothing. */
  signed?: boolean;
}

/** Money with all its digits: cents as usual, those beyond them small. */
export function Amount({ value, currency, row, signed = false }: Props) {
  const { before, tail, after } = splitMoney(value, currency, signed ? 'exceptZero' : 'auto');
  return (
    <data class={`amount ${value.startsWith('-') ? 'negative' : ''}`} value={value} data-row={row}>
      {before}
      {tail !== '' && <span class="tail">{tail}</span>}
      {after}
    </data>
  );
}
