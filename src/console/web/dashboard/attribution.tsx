import { useState } from 'preact/hooks';
import type { AttributionResponse, ChannelRow } from '../../../schemas/attribution.js';
import { shopApi } from '../shared/api.js';
import type { Range } from '../shared/days.js';
import { Answer, Panel } from '../shared/frame.js';
import { numbers, Table, words } from '../shared/table.js';
import { formatMoney, formatRatio } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';

const MODELS = [
  { id: 'last_touch', label: 'Last touch' },
  { id: 'first_touch', label: 'First touch' },
  { id: 'linear', label: 'Linear' },
] as const;

/** Orders, revenue, spend and ROAS by channel (`GET /v1/attribution`). */
export function Attribution({ shop, range, currency }: { shop: string; range: Range; currency: string }) {
  const [model, setModel] = useState<string>('last_touch');
  const query = `?from=${range.from}&to=${range.to}&model=${model}`;
  const answer = useRead<AttributionResponse>(shopApi(shop, `/v1/attribution${query}`));
  const choice = (
    <label class="field inline">
      <span>Model</span>
      <select value={model} onChange={(event) => setModel(event.currentTarget.value)}>
        {MODELS.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Panel
      title="Channels"
      actions={choice}
      note="Orders are joined to visits through the pixel, 30 days back. Proved: the part of the revenue whose visits carry an ad click id that nothing contradicts, or come from a known search engine, social network, assistant or web mail; the rest is what campaign parameters claim, or unclear."
    >
      <Answer of={answer} what="channels">
        {({ channels }) =>
          channels.length === 0 ? (
            <p class="empty">No orders and no spend in these days.</p>
          ) : (
            <Channels channels={channels} currency={currency} />
          )
        }
      </Answer>
    </Panel>
  );
}

function Channels({ channels, currency }: { channels: ChannelRow[]; currency: string }) {
  const columns = [...words('Channel'), ...numbers('Orders', 'Revenue', 'Proved', 'Net of refunds', 'Spend', 'ROAS')];
  return (
    <Table label="Channels" columns={columns}>
      {channels.map((row) => (
        <tr key={row.channel}>
          <th scope="row">{row.channel}</th>
          <td class="number">{row.orders}</td>
          {[row.revenue, row.proved.revenue, row.net_revenue, row.ad_spend].map((amount, i) => (
            <td key={i} class="number">
              {formatMoney(amount, currency)}
            </td>
          ))}
          <td class="number">{row.roas === null ? '–' : formatRatio(row.roas)}</td>
        </tr>
      ))}
    </Table>
  );
}
