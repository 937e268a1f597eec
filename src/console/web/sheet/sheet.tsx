import { useLayoutEffect, useRef } from 'preact/hooks';
import { linkHere, type Address } from '../app/address.js';
import { addressBefore, navigate } from '../app/navigation.js';
import type { View } from '../app/view.js';
import type { MetricDefinition } from '../../../domain/metrics/metrics.js';
import { shopApi } from '../shared/api.js';
import { amountsOf, type Day, type MetricsAnswer } from '../shared/answers.js';
import { Copy } from '../shared/copy.js';
import { formatRange } from '../shared/days.js';
import { Icon } from '../shared/icon.js';
import { HeadlineAmount } from '../shared/headline-amount.js';
import { addMoney } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';
import { zoneName } from '../shared/zone.js';
import { rowOf, stepsTo, type StatementRow } from '../statement/rows.js';
import { DayList } from './day-list.js';
import { Entries } from './entries.js';
import { isExplainable } from './figures.js';
import { Parts } from './parts.js';

const VIEWS = ['parts', 'days', 'entries'] as const;
type SheetView = (typeof VIEWS)[number];
const LABELS: Readonly<Record<SheetView, string>> = { parts: 'Parts', days: 'Days', entries: 'Entries' };

/** What closes the sheet: an address without its parameters. */
const closed = (address: Address): string => linkHere(address, { figure: null, view: null, sort: null });

/** What the figure that the address names is made of: its parts, days and entries. A side panel: the page stays usable. */
export function Sheet(props: Props) {
  const row = rowOf(props.view.address.query.get('figure') ?? '');
  return row === undefined ? null : <OpenSheet key={row.key} row={row} {...props} />;
}

interface Props {
  view: View;
  figures: MetricsAnswer | null;
  /** What the bars of the page are of; null until they are read. */
  days: readonly Day[] | null;
  /** How many products were sold; absent while that is being read. */
  products: number | undefined;
}

/** The figure whose sheet led here. */
function figureBefore({ path, query }: Address): StatementRow | undefined {
  const before = addressBefore();
  const figure = before?.pathname === path ? before.searchParams.get('figure') : null;
  return figure === null || figure === query.get('figure') ? undefined : rowOf(figure);
}

function OpenSheet({ row, view, figures, days, products }: Props & { row: StatementRow }) {
  const { address, shop, currency } = view;
  const steps = stepsTo(row.key);
  const views = VIEWS.filter((name) =>
    name === 'parts' ? steps !== null : name === 'entries' ? isExplainable(row.key) : view.from !== view.to,
  );
  const asked = address.query.get('view');
  const shown = views.find((name) => name === asked) ?? (steps === null ? views.at(-1) : views[0]);
  const definitions = useRead<{ metrics: MetricDefinition[] }>(shopApi(shop, '/v1/metrics/definitions'));
  const definition = definitions.data?.metrics.find(({ key }) => key === row.key);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const before = figureBefore(address);
  const total = figures === null ? undefined : totalOf(row, figures);
  return (
    <section
      class="sheet"
      role="dialog"
      aria-labelledby="sheet-title"
      onKeyDown={(event) => event.key === 'Escape' && navigate(closed(address))}
    >
      <header>
        {before !== undefined && (
          <button
            type="button"
            class="icon-button bare"
            aria-label={`Back to ${before.label}`}
            onClick={() => history.back()}
          >
            <Icon name="left" />
          </button>
        )}
        <span class="small soft">
          {formatRange(view)} · {zoneName(view.timezone)} time
        </span>
        <a class="button icon-button bare" href={closed(address)} aria-label="Close">
          <Icon name="close" />
        </a>
      </header>
      <div class="sheet-lead">
        <h2 id="sheet-title" class="name" tabIndex={-1} ref={heading}>
          {row.label}
        </h2>
        <div class="row">
          <HeadlineAmount value={total} currency={currency} />
          {total !== undefined && <Copy value={total} />}
        </div>
        <p class="soft">{definition?.description ?? ' '}</p>
      </div>
      <nav class="segments" aria-label={`${row.label} by`}>
        {views.map((name) => (
          <a
            key={name}
            href={linkHere(address, { view: name, sort: null })}
            aria-current={name === shown ? 'true' : undefined}
          >
            {LABELS[name]}
          </a>
        ))}
      </nav>
      {shown === 'parts' && steps !== null && (
        <Parts rows={steps} view={view} figures={figures} days={days} products={products} />
      )}
      {shown === 'days' && <DayList row={row} view={view} />}
      {shown === 'entries' && isExplainable(row.key) && <Entries figure={row.key} view={view} />}
    </section>
  );
}

function totalOf({ of }: StatementRow, figures: MetricsAnswer): string {
  const amounts = amountsOf(figures);
  return addMoney(...of.map((figure) => String(amounts[figure])));
}
