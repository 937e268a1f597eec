import { linkHere, linkTo, pathOf, settingsPath } from '../app/address.js';
import type { View } from '../app/view.js';
import type { AttributionResponse } from '../../../schemas/attribution.js';
import { shopApi } from '../shared/api.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { Answer } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { isOld, useRead } from '../shared/use-read.js';
import { ofAll } from '../statement/verdict.js';
import { ChannelTable } from './channel-table.js';
import { LeftOut } from './left-out.js';
import { Legend } from './legend.js';
import { Losses } from './losses.js';

const MODELS = [
  { id: 'last_touch', label: 'Last visit' },
  { id: 'first_touch', label: 'First visit' },
  { id: 'linear', label: 'All visits alike' },
] as const;

/** Which ads paid off, and whether that is proved (`GET /v1/attribution`). */
export function Channels({ view }: { view: View }) {
  const { shop, from, to, address, currency } = view;
  const model = MODELS.find(({ id }) => id === address.query.get('model'))?.id ?? 'last_touch';
  const days = `from=${from}&to=${to}`;
  const answer = useRead<AttributionResponse>(shopApi(shop, `/v1/attribution?${days}&model=${model}&include=losses`));
  // How complete the costs are, which changes what a profit is called: both are shown at once.
  const figures = useRead<MetricsAnswer>(shopApi(shop, `/v1/metrics?${days}&include=coverage,statement`));
  const isReady = figures.data !== null || figures.failure !== null;
  const page = isReady ? answer : { ...answer, data: null };
  return (
    <div class={isOld(page) ? 'stack stale' : 'stack'} aria-busy={page.loading}>
      <section class="panel flush" aria-labelledby="channels">
        <div class="panel-head">
          <h2 id="channels">Where orders came from</h2>
          <nav class="segments" aria-label="Which visit counts">
            {MODELS.map(({ id, label }) => (
              <a
                key={id}
                href={linkHere(address, { model: id === 'last_touch' ? null : id })}
                aria-current={id === model ? 'true' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
        </div>
        <Legend />
        <Answer of={page} what="channels" rows={8}>
          {(data) => (
            <>
              {data.currency_note !== undefined && (
                <LeftOut entries={data.left_out ?? []} note={data.currency_note} currency={currency} />
              )}
              {data.channels.length === 0 ? (
                <p class="empty">No orders and no spend in these days.</p>
              ) : (
                <ChannelTable page={data} figures={figures.data} view={view} />
              )}
              <p class="panel-foot">
                A visit counts for an order for 30 days.{' '}
                {model === 'linear' ? 'Each order is given to its visits in equal parts' : 'Each order is given once'},
                so the rows add up to all orders. <Missing figures={figures.data} view={view} />
              </p>
            </>
          )}
        </Answer>
      </section>
      {page.data?.losses !== undefined && page.data.losses.length > 0 && (
        <Losses losses={page.data.losses} currency={currency} />
      )}
    </div>
  );
}

/** What makes the profit "at most". */
function Missing({ figures, view }: { figures: MetricsAnswer | null; view: View }) {
  if (figures === null) return <>Whether their costs are complete could not be read.</>;
  const {
    orders_without_cost: costs,
    orders_without_fee: fees,
    products_without_cost: products,
    orders,
  } = figures.coverage;
  return (
    <>
      {costs > 0 && (
        <>
          Product costs of {ofAll(costs, orders)} are missing: profit is at most this.{' '}
          <a href={linkTo(view.address, pathOf(view.shop, 'products'), { missing_cost: '1' })}>
            Price {formatCount(products)} {products === 1 ? 'product' : 'products'}
          </a>{' '}
        </>
      )}
      {fees > 0 && (
        <>
          Payment fees of {ofAll(fees, orders)} are missing: profit is at most this.{' '}
          <a href={settingsPath(view.shop, 'fees')}>Add a rule</a>
        </>
      )}
    </>
  );
}
