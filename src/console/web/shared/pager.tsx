import type { ComponentChildren } from 'preact';
import { linkHere, type Address } from '../app/address.js';
import { formatCount } from './money.js';

/** The way to the next page of a list, and back to the first; the browser's Back goes to the page before. */
export function Pager(props: {
  address: Address;
  next: string | undefined;
  size: number;
  /** Of a list that is counted: how many are on the page, and in all, and what one of them is called. */
  listed?: { shown: number; count: number; one: string };
  children?: ComponentChildren;
}) {
  const { address, next, size, listed, children } = props;
  return (
    <div class="pager">
      <span>
        {listed !== undefined && `${placeOf(address, size, listed)} ${listed.one}${listed.count === 1 ? '' : 's'}`}
        {children}
      </span>
      {address.query.has('cursor') && (
        <a class="button" href={linkHere(address, {})}>
          First page
        </a>
      )}
      {next !== undefined && (
        <a class="button" href={linkHere(address, listed === undefined ? { cursor: next } : nextPage(address, next))}>
          Next {size}
        </a>
      )}
    </div>
  );
}

/** What of an address leads to the page after the one that it names, by the cursor of that. */
export const nextPage = (address: Address, cursor: string): { cursor: string; page: string } => ({
  cursor,
  page: String(pageOf(address) + 1),
});

/** The number of the page, which a cursor does not tell. */
export const pageOf = ({ query }: Address): number => (query.has('cursor') ? Number(query.get('page') ?? NaN) : 1);

/** Such as `26 – 50 of 1,573`; the count alone where all are shown, and where the address does not say which they are. */
function placeOf(address: Address, size: number, { shown, count }: { shown: number; count: number }): string {
  const before = (pageOf(address) - 1) * size;
  const isKnown = Number.isInteger(before) && before >= 0 && before + shown <= count;
  if (!isKnown || shown === 0 || shown === count) return formatCount(count);
  return `${formatCount(before + 1)} – ${formatCount(before + shown)} of ${formatCount(count)}`;
}
