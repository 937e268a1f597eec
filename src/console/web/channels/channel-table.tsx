import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { AttributionResponse } from '../../../schemas/attribution.js';
import { Amount } from '../shared/amount.js';
import { formatMoney, negated } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { channelName } from './names.js';

/** Channels with what they brought, how much of it is proved, and what they cost. */
export function ChannelTable({ page, view }: { page: AttributionResponse; view: View }) {
  const { currency, address } = view;
  const leftOut = (channel: string): string =>
    (page.left_out ?? []).find((entry) => entry.channel === channel)?.currency ?? '';
  return (
    <Table
      label="Channels"
      columns={[
        ...words('Channel'),
        ...numbers(
          'Orders',
          'Proved',
          'Claimed',
          'Unclear',
          'Revenue',
          'Ads',
          'Profit after ads',
          'Revenue per 1 of ads',
        ),
      ]}
    >
      {page.channels.map((row) => (
        <tr key={row.channel}>
          <th scope="row">
            <a class="door" href={linkTo(address, pathOf(view.shop, 'orders'), { channel: row.channel })}>
              {channelName(row.channel)}
            </a>
            {leftOut(row.channel) !== '' && <span class="sub">spend in {leftOut(row.channel)} is left out</span>}
          </th>
          <td class="number">{row.orders}</td>
          {[
            row.proved.revenue,
            row.claimed.revenue,
            row.ambiguous.revenue,
            row.revenue,
            negated(row.ad_spend),
            row.profit,
          ].map((amount, i) => (
            <td key={i} class="number">
              <Amount value={amount} currency={currency} />
            </td>
          ))}
          <td class="number">{row.roas === null ? <span title="no ads">–</span> : formatMoney(row.roas, currency)}</td>
        </tr>
      ))}
    </Table>
  );
}
