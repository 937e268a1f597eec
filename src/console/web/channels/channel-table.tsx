import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { AttributionResponse, ChannelRow } from '../../../schemas/attribution.js';
import { Amount } from '../shared/amount.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { formatMoney, formatQuantity, micros } from '../shared/money.js';
import { SortHead } from '../shared/sort-head.js';
import { isProfitAtMost } from '../statement/verdict.js';
import { ChannelCells } from './channel-cells.js';
import { currenciesOf } from './left-out.js';
import { channelName } from './names.js';
import { allOf, sorted } from './sorted.js';
import { Split } from './split.js';
import { lossWords } from './words.js';

/** Channels below the sums of all: what they brought, how much of it is proved, and what they cost. */
export function ChannelTable({
  page,
  figures,
  view,
}: {
  page: AttributionResponse;
  figures: MetricsAnswer | null;
  view: View;
}) {
  const { currency, address } = view;
  const { channels } = page;
  const [sort, order] = [address.query.get('sort'), address.query.get('order')];
  const leftOut = page.left_out ?? [];
  const isMissing = figures !== null && isProfitAtMost(figures.coverage);
  const seen = channels.filter(({ channel }) => channel !== 'unattributed').map(({ revenue }) => micros(revenue));
  const most = seen.reduce((max, revenue) => (revenue > max ? revenue : max), 0n);
  const all = allOf(channels);
  const ratio = (value: string | null | undefined) => (value == null ? null : formatMoney(value, currency));
  const head = (label: string, by: string, extra = '') => (
    <SortHead address={address} label={label} sort={by} usual="revenue" class={extra} />
  );
  const plain = (label: string, extra: string) => (
    <th scope="col" class={`number ${extra}`}>
      {label}
    </th>
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Channels, table">
      <table class="list-table">
        <thead>
          <tr>
            <th scope="col">Channel</th>
            {head('Orders', 'orders', 'wide-only')}
            <th scope="col" class="opt">
              <span class="unseen">Share</span>
            </th>
            {plain('Proved', 'wide-only')}
            {plain('Claimed', 'wide-only')}
            {plain('Unclear', 'opt')}
            {head('Revenue', 'revenue', 'wide-only')}
            {head('Ads', 'ad_spend', 'wide-only')}
            {head('Profit after ads', 'profit')}
            {plain(`Revenue per ${formatMoney('1', currency).replace(/\D00$/, '')}`, 'opt')}
          </tr>
        </thead>
        <tbody>
          <tr class="total">
            <th scope="row">
              All
              <Second row={all} currency={currency} />
            </th>
            <ChannelCells
              sums={all}
              currency={currency}
              perUnit={ratio(figures?.blended_roas)}
              leftOut={[]}
              isAtMost={isMissing || leftOut.length > 0}
            />
          </tr>
          {sorted(channels, sort, order === 'asc').map((row) => {
            const currencies = currenciesOf(row.channel, leftOut);
            const isUnseen = row.channel === 'unattributed';
            return (
              <tr key={row.channel}>
                <th scope="row">
                  <a class="door" href={linkTo(address, pathOf(view.shop, 'orders'), { channel: row.channel })}>
                    {channelName(row.channel)}
                  </a>
                  {isUnseen && page.losses !== undefined && <span class="sub">{lossWords(page.losses)}</span>}
                  <Second row={row} currency={currency} />
                  <span class="phone-only">{!isUnseen && <Split row={row} most={most} />}</span>
                </th>
                <ChannelCells
                  sums={allOf([row])}
                  currency={currency}
                  perUnit={ratio(row.roas)}
                  leftOut={currencies}
                  isAtMost={currencies.length > 0 || (isMissing && row.orders > 0)}
                >
                  {!isUnseen && <Split row={row} most={most} />}
                </ChannelCells>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** On a phone the second line below the name. */
function Second({
  row,
  currency,
}: {
  row: Pick<ChannelRow, 'revenue'> & { orders: string | number };
  currency: string;
}) {
  return (
    <span class="sub phone-only">
      {formatQuantity(String(row.orders))} orders, <Amount value={row.revenue} currency={currency} />
    </span>
  );
}
