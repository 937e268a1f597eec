import { settingsPath } from '../app/address.js';
import { Badge, type Tone } from '../shared/badge.js';
import { formatMoment } from '../shared/days.js';
import { kindLabel } from '../shared/kinds.js';
import { formatCount } from '../shared/money.js';
import { NoValue } from '../shared/no-value.js';
import type { ConnectionRow } from './rows.js';

const STATES: Record<string, { text: string; tone: Tone }> = {
  connected: { text: 'Connected', tone: 'good' },
  needs_reauth: { text: 'No key works', tone: 'bad' },
  uninstalled: { text: 'Shop closed', tone: 'bad' },
  not_connected: { text: 'Not connected', tone: 'calm' },
};

interface Props {
  row: ConnectionRow;
  shop: string;
  currency: string | null;
}

/** An integration: whether it works, what came of it, and what there is to do. */
export function ConnectionEntry({ row, shop, currency }: Props) {
  const { name, about, lastAt, taken, refused, leftOut } = row;
  const state = stateOf(row);
  const last = lastAt === null ? 'never' : formatMoment(lastAt);
  const { text, href } = doingOf(row, shop, currency);
  const todo = href === null ? <span class="soft">nothing</span> : <a href={href}>{text}</a>;
  return (
    <tr data-connection={row.id}>
      <th scope="row">
        {name}
        <span class="sub">{[about, ...(leftOut.length > 0 ? [`in ${leftOut.join(', ')}`] : [])].join(', ')}</span>
        <span class="sub phone-only">last data {last}</span>
        {href !== null && <span class="sub phone-only">{todo}</span>}
      </th>
      <td>
        <Badge tone={state?.tone ?? 'calm'}>{state?.text ?? row.status}</Badge>
        {refused !== null && refused > 0 && <span class="sub worse phone-only">{formatCount(refused)} refused</span>}
      </td>
      <td class="wide-only">{last}</td>
      <td class="number wide-only">
        {taken === null ? <NoValue why="counted for all channels together" /> : formatCount(taken)}
      </td>
      <td class="number wide-only">
        {refused === null || refused === 0 ? (
          <NoValue why={refused === null ? 'counted for all channels together' : 'nothing refused'} />
        ) : (
          <span class="worse">{formatCount(refused)}</span>
        )}
      </td>
      <td class="wide-only">{todo}</td>
    </tr>
  );
}

/** Connected is what data came from: before the first, a shop is set up and no more. */
function stateOf({ status, lastAt, leftOut }: ConnectionRow): { text: string; tone: Tone } | undefined {
  if (leftOut.length > 0) return { text: 'Left out', tone: 'warn' };
  if (status === 'connected' && lastAt === null) return { text: 'Waiting for data', tone: 'calm' };
  return STATES[status];
}

function doingOf(row: ConnectionRow, shop: string, currency: string | null): { text: string; href: string | null } {
  const { status, lastAt, refused, kind, leftOut } = row;
  const developers = `/developers?shop=${encodeURIComponent(shop)}`;
  if (status === 'uninstalled') return { text: 'Open the shop again', href: settingsPath(shop, 'shop') };
  if (status === 'needs_reauth') return { text: 'Make a new key', href: `${developers}&tab=keys` };
  if (leftOut.length > 0) return { text: `Push its spend in ${currency ?? 'the currency of the shop'}`, href: '/docs' };
  if (refused !== null && refused > 0 && kind !== null) {
    const text = `See the ${formatCount(refused)} refused: ${kindLabel(kind).toLowerCase()}`;
    return { text, href: `${developers}&tab=log&outcome=refused` };
  }
  if (status === 'connected' && lastAt === null) return { text: 'Push the first', href: developers };
  if (status !== 'not_connected') return { text: 'nothing', href: null };
  return kind === 'events'
    ? { text: 'Install it', href: `${developers}&tab=keys` }
    : { text: 'Connect it', href: developers };
}
