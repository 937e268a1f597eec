import { linkHere, type Address } from '../app/address.js';

interface Props {
  address: Address;
  label: string;
  sort: string;
  /** What the list is sorted by where the address does not say. */
  usual: string;
  isNumber?: boolean;
  class?: string;
}

/** The head of a column that the list can be sorted by: largest first, then smallest first. */
export function SortHead({ address, label, sort, usual, isNumber = true, ...rest }: Props) {
  const isSorted = (address.query.get('sort') ?? usual) === sort;
  const isUp = address.query.get('order') === 'asc';
  const next = isSorted && !isUp ? 'asc' : null;
  return (
    <th
      scope="col"
      class={`${isNumber ? 'number' : ''} ${rest.class ?? ''}`}
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
    >
      <a href={linkHere(address, { sort: sort === usual ? null : sort, order: next })}>
        {label}
        {isSorted && <span aria-hidden="true"> {isUp ? '↑' : '↓'}</span>}
      </a>
    </th>
  );
}
