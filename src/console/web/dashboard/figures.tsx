import type { MetricDefinition } from '../../../domain/metrics/metrics.js';
import { shopApi } from '../shared/api.js';
import { periodBefore, type Range } from '../shared/days.js';
import { Answer, Panel, Trouble } from '../shared/frame.js';
import { useRead } from '../shared/use-read.js';
import type { Metrics } from '../../../schemas/metrics.js';
import type { DailyAnswer, MetricsAnswer } from './answers.js';
import { Cards } from './cards.js';
import { Completeness } from './completeness.js';
import { DailyChart } from './daily-chart.js';
import { DailyTable } from './daily-table.js';
import { Quiet } from './quiet.js';
import { Statement } from './statement.js';

/** Everything that `/v1/metrics` says of a range, beside the period before. Each read fails for itself alone. */
export function Figures(props: { shop: string; range: Range; setRange: (range: Range) => void }) {
  const { shop, range } = props;
  const path = (of: string, { from, to }: Range, include: string): string =>
    shopApi(shop, `${of}?from=${from}&to=${to}&include=${include}`);
  const definitions = useRead<{ metrics: MetricDefinition[] }>(shopApi(shop, '/v1/metrics/definitions'));
  const now = useRead<MetricsAnswer>(path('/v1/metrics', range, 'coverage,statement'));
  const then = useRead<MetricsAnswer>(path('/v1/metrics', periodBefore(range), 'coverage,statement'));
  const daily = useRead<DailyAnswer>(path('/v1/metrics/daily', range, 'statement'));

  const quiet = now.data !== null && isQuiet(now.data);
  const stale = now.loading || daily.loading;
  return (
    <div aria-busy={stale} class={stale ? 'stale' : ''}>
      {quiet && !stale && <Quiet {...props} />}
      {now.data?.currency_note !== undefined && <p class="warn">{now.data.currency_note}</p>}
      <Answer of={now} what="figures" rows={8}>
        {(figures) => (
          <Answer of={definitions} what="descriptions of figures">
            {({ metrics }) => (
              <Cards shop={shop} definitions={metrics} now={figures} before={then.loading ? null : then.data} />
            )}
          </Answer>
        )}
      </Answer>
      {then.failure !== null && (
        <Trouble failure={then.failure} retry={then.reload} note="It is missing only in the comparison." />
      )}
      {!quiet && (
        <>
          <Panel title="Day by day">
            <Answer of={daily} what="days" rows={6}>
              {(answer) => (
                <>
                  <DailyChart {...answer} />
                  <DailyTable {...answer} />
                </>
              )}
            </Answer>
          </Panel>
          {now.data !== null && (
            <>
              <Panel title="Statement">
                <Statement shop={shop} now={now.data} before={then.loading ? null : then.data} />
              </Panel>
              <Completeness {...now.data} />
            </>
          )}
        </>
      )}
    </div>
  );
}

/** True where nothing was sold, returned or advertised; expenses go on all the same. */
function isQuiet(figures: Metrics): boolean {
  const { orders, refunds, ad_spend, gateway_fees, cogs } = figures;
  return orders === 0 && [refunds, ad_spend, gateway_fees, cogs].every((money) => money === '0.00');
}
