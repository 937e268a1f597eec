import type { AttributionResponse } from '../../../schemas/attribution.js';
import { currenciesOf } from '../channels/left-out.js';
import { channelName } from '../channels/names.js';
import { Amount } from '../shared/amount.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { negated } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { SharedPanel } from './shared-panel.js';
import { isProfitAtMost } from '../statement/verdict.js';
import { useShared, type Shared } from './use-shared.js';

/** Each channel of the days; `statement` says whether their costs are known. */
export function SharedChannels({ currency, statement }: { currency: string; statement: Shared<MetricsAnswer> }) {
  const isMissing = statement.data !== null && isProfitAtMost(statement.data.coverage);
  return (
    <SharedPanel title="Channels" of={useShared<AttributionResponse>('/app/api/share/channels')}>
      {({ channels, currency_note, left_out: leftOut = [] }) => (
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
                    {i === 3 && (isMissing || currenciesOf(row.channel, leftOut).length > 0) && (
                      <span class="soft">at most </span>
                    )}
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
