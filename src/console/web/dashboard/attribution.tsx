import { useState } from 'preact/hooks';
import { shopApi } from '../shared/api.js';
import type { Range } from '../shared/days.js';
import { Loading, Panel, Trouble } from '../shared/frame.js';
import { formatMoney, formatRatio } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';

interface Channel {
  channel: string;
  orders: string | number;
  revenue: string;
  net_revenue?: string;
  ad_spend?: string | null;
  roas?: string | null;
  /** What rests on proved visits. */
  proved?: { orders: number; revenue: string; net_revenue: string };
}

const MODELS = [
  { id: 'last_touch', label: 'Last touch' },
  { id: 'first_touch', label: 'First touch' },
  { id: 'linear', label: 'Linear' },
] as const;

/** Orders, revenue, spend and ROAS by channel (`GET /v1/attribution`); nothing where the service has no such endpoint. */
export function Attribution({ shop, range, currency }: { shop: string; range: Range; currency: string }) {
  const [model, setModel] = useState<string>('last_touch');
  const query = `?from=${range.from}&to=${range.to}&model=${model}`;
  const { data, failure, reload } = useRead<{ channels: Channel[] }>(shopApi(shop, `/v1/attribution${query}`));
  if (failure?.status === 404) return null;
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
      {failure !== null && <Trouble failure={failure} retry={reload} />}
      {data === null && failure === null && <Loading what="channels" />}
      {data?.channels.length === 0 && <p class="empty">No orders and no spend in these days.</p>}
      {data !== null && data.channels.length > 0 && <Channels channels={data.channels} currency={currency} />}
    </Panel>
  );
}

function Channels({ channels, currency }: { channels: Channel[]; currency: string }) {
  const money = (value: string | null | undefined): string => (value == null ? '–' : formatMoney(value, currency));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Channels, table">
      <table>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            {['Orders', 'Revenue', 'Proved', 'Net of refunds', 'Spend', 'ROAS'].map((label) => (
              <th key={label} scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {channels.map((row) => (
            <tr key={row.channel}>
              <th scope="row">{row.channel}</th>
              <td class="number">{String(row.orders)}</td>
              <td class="number">{money(row.revenue)}</td>
              <td class="number">{money(row.proved?.revenue)}</td>
              <td class="number">{money(row.net_revenue)}</td>
              <td class="number">{money(row.ad_spend)}</td>
              <td class="number">{row.roas == null ? '–' : formatRatio(row.roas)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
