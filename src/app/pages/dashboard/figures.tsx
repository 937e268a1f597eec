import { useState } from 'preact/hooks';
import type { MetricDefinition, Metrics } from '../../../domain/metrics.js';
import { shopApi } from '../shared/api.js';
import { periodBefore, type Range } from '../shared/days.js';
import { Loading, Panel, Trouble, useAction } from '../shared/frame.js';
import type { DailyAnswer, MetricsAnswer } from './answers.js';
import { Cards } from './cards.js';
import { DailyChart } from './daily-chart.js';
import { DailyTable } from './daily-table.js';
import { findLatestOrders } from './latest-orders.js';
import { Waterfall } from './waterfall.js';
import { useRead } from '../shared/use-read.js';

/** Everything that `/v1/metrics` says of a range, beside the period before. */
export function Figures(props: { shop: string; range: Range; setRange: (range: Range) => void }) {
  const { shop, range } = props;
  const before = periodBefore(range);
  const query = ({ from, to }: Range): string => `?from=${from}&to=${to}`;
  const definitions = useRead<{ metrics: MetricDefinition[] }>(shopApi(shop, '/v1/metrics/definitions'));
  const now = useRead<MetricsAnswer>(shopApi(shop, `/v1/metrics${query(range)}`));
  const then = useRead<MetricsAnswer>(shopApi(shop, `/v1/metrics${query(before)}`));
  const daily = useRead<DailyAnswer>(shopApi(shop, `/v1/metrics/daily${query(range)}`));
  const reads = [definitions, now, then, daily];
  const failed = reads.find(({ failure }) => failure !== null)?.failure;
  const retry = () => reads.filter(({ failure }) => failure !== null).forEach(({ reload }) => reload());

  if (failed) return <Trouble failure={failed} retry={retry} />;
  if (definitions.data === null || now.data === null || daily.data === null) return <Loading what="figures" rows={8} />;
  const quiet = isQuiet(now.data);
  const stale = now.loading || daily.loading;
  return (
    <div aria-busy={stale} class={stale ? 'stale' : ''}>
      {quiet && !stale && <Quiet {...props} />}
      {now.data.currency_note !== undefined && <p class="warn">{now.data.currency_note}</p>}
      <Cards definitions={definitions.data.metrics} now={now.data} before={then.loading ? null : then.data} />
      {!quiet && (
        <>
          <Panel title="Day by day">
            <DailyChart {...daily.data} />
            <DailyTable {...daily.data} />
          </Panel>
          <Panel title="From revenue to profit">
            <Waterfall figures={now.data} />
          </Panel>
        </>
      )}
    </div>
  );
}

/** True where nothing at all happened. */
function isQuiet(figures: Metrics): boolean {
  const { orders, refunds, ad_spend, gateway_fees, cogs } = figures;
  return orders === 0 && [refunds, ad_spend, gateway_fees, cogs].every((money) => money === '0.00');
}

function Quiet({ shop, range, setRange }: { shop: string; range: Range; setRange: (range: Range) => void }) {
  const { busy, failure, run } = useAction();
  const [none, setNone] = useState(false);
  const find = () =>
    run(async () => {
      const found = await findLatestOrders(shop, range.to);
      if (found === null) setNone(true);
      else setRange(found);
    });
  return (
    <div class="empty">
      <p>
        {none
          ? 'This shop has no orders yet. Push one with a key from Developers, or import a history with profit import orders.'
          : 'Nothing happened in these days.'}
      </p>
      {failure !== null && <Trouble failure={failure} />}
      <div class="row">
        {!none && (
          <button type="button" class="primary" disabled={busy} onClick={() => void find()}>
            {busy ? 'Looking…' : 'Go to the latest orders'}
          </button>
        )}
        <a href={`/developers?shop=${shop}`}>Developers</a>
      </div>
    </div>
  );
}
