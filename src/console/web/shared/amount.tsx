import { splitMoney } from './money.js';

interface Props {
  /** Exact; absent while it is being read. */
  value: string | undefined;
  currency: string;
  /** The line of a statement that it is of. */
  row?: string;
  /** With a plus before what is more than nothing. */
  signed?: boolean;
}

/** Money with all its digits: cents as usual, those beyond them small. */
export function Amount({ value, currency, row, signed = false }: Props) {
  if (value === undefined) {
    return (
      <span class="amount wait">
        <span class="unseen">not read yet</span>
      </span>
    );
  }
  const { before, tail, after } = splitMoney(value, currency, signed ? 'exceptZero' : 'auto');
  return (
    <data class={`amount ${value.startsWith('-') ? 'negative' : ''}`} value={value} data-row={row}>
      {before}
      {tail !== '' && <span class="tail">{tail}</span>}
      {after}
    </data>
  );
}
