import type { AttributionResponse } from '../../../schemas/attribution.js';
import { channelName } from '../channels/names.js';
import { Amount } from '../shared/amount.js';
import { negated } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { SharedPanel } from './shared-panel.js';
import { useShared } from './use-shared.js';

export function SharedChannels({ currency }: { currency: string }) {
  return (
    <SharedPanel title="Channels" of={useShared<AttributionResponse>('/app/api/share/channels')}>
      {({ channels, currency_note }) => (
        <>
          {currency_note != null && <p class="notice">{currency_note}</p>}
          <Table
            label="Channels"
            columns={[...words('Channel'), ...numbers('Orders', 'Proved', 'Revenue', 'Ads', 'Profit after ads')]}
          >
            {channels.map((row) => (
              <tr key={row.channel}>
                <th scope="row">{channelName(row.channel)}</th>
                <td class="number">{row.orders}</td>
                {[row.proved.revenue, row.revenue, negated(row.ad_spend), row.profit].map((amount, i) => (
                  <td key={i} class="number">
                    <Amount value={amount} currency={currency} />
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        </>
      )}
    </SharedPanel>
  );
}
