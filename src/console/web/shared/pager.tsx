import type { ComponentChildren } from 'preact';
import { linkHere, type Address } from '../app/address.js';

/** The way to the next page of a list, and back to the first; the browser's Back goes to the page before. */
export function Pager(props: {
  address: Address;
  next: string | undefined;
  size: number;
  children: ComponentChildren;
}) {
  const { address, next, size, children } = props;
  return (
    <div class="pager">
      <span>{children}</span>
      {address.query.has('cursor') && (
        <a class="button" href={linkHere(address, {})}>
          First page
        </a>
      )}
      {next !== undefined && (
        <a class="button" href={linkHere(address, { cursor: next })}>
          Next {size}
        </a>
      )}
    </div>
  );
}
