import { linkTo, pathOf, type Address } from '../app/address.js';
import { formatCount } from '../shared/money.js';
import { changedDays, useSince } from '../shared/since.js';
import { Cell } from './checks-cell.js';

/** Whether past days of the page changed since the reader was here last; has its room before that is read. */
export function PastDays({ shop, address }: { shop: string; address: Address }) {
  const { visit, changes } = useSince();
  // Nothing is to be said to who is here for the first time.
  if (visit === null) return null;
  const found = changes.data;
  const days = found === null ? 0 : changedDays(found);
  const isMore = found?.next !== undefined;
  const count = `${isMore ? 'more than ' : ''}${formatCount(days)}`;
  const title =
    found === null
      ? 'Past days'
      : days === 0
        ? 'Past days unchanged'
        : `${count} past ${days === 1 ? 'day' : 'days'} changed`;
  return (
    <Cell tone={found === null ? 'calm' : days === 0 ? 'good' : 'warn'} title={title}>
      {found !== null && 'since your last visit. '}
      {found !== null && (
        <a href={linkTo(address, pathOf(shop, 'changes'))}>{days === 0 ? 'All changes' : 'See why'}</a>
      )}
    </Cell>
  );
}
