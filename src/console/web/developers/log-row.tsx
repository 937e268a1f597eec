import { linkHere, type Address } from '../app/address.js';
import { Badge } from '../shared/badge.js';
import { formatMoment } from '../shared/days.js';
import { formatCount } from '../shared/money.js';
import type { LogEntry } from './log-entries.js';
import { titleOf } from './log-words.js';

/** An entry of the log; leads to what is known of it. */
export function LogRow(props: { entry: LogEntry; address: Address; isChosen: boolean }) {
  const { entry, address, isChosen } = props;
  const { cursor = null } = Object.fromEntries(address.query);
  return (
    <tr class={isChosen ? 'chosen' : ''}>
      <td>
        <a class="door" href={linkHere(address, { id: entry.id, cursor })} aria-current={isChosen ? 'true' : undefined}>
          {titleOf(entry)}
        </a>
        <span class="sub">
          {'refused' in entry
            ? [...new Set(entry.refused.errors.map(({ code }) => code))].join(', ')
            : entry.taken.rejected > 0 && `${formatCount(entry.taken.rejected)} of the same push refused`}
        </span>
      </td>
      <td>
        {'taken' in entry ? (
          <Badge tone="good">{formatCount(entry.taken.accepted)} taken</Badge>
        ) : (
          <Badge tone="bad">Refused</Badge>
        )}
      </td>
      <td class="number soft">{formatMoment(entry.at)}</td>
    </tr>
  );
}
