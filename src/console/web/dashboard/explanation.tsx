import { useEffect, useState } from 'preact/hooks';
import type { ExplainableFigure } from '../../../domain/metrics/contributions.js';
import type { Contribution, ExplainResponse } from '../../../schemas/contributions.js';
import { read, shopApi, failureOf, type Failure } from '../shared/api.js';
import { formatDay, formatRange, type Range } from '../shared/days.js';
import { Dialog } from '../shared/dialog.js';
import { Loading, Trouble } from '../shared/frame.js';
import { numbers, Table, words } from '../shared/table.js';
import { formatCount, formatExactMoney, formatMoney, formatQuantity } from '../shared/money.js';

const KINDS: Record<Contribution['kind'], string> = {
  sale: 'Sale',
  refund: 'Refund',
  line_cost: 'Product cost',
  restock: 'Back in stock',
  fee_actual: 'Payment fee',
  fee_refund: 'Refunded fee',
  fee_estimate: 'Estimated fee',
  spend: 'Ad spend',
  expense: 'Expense',
  gross_sale: 'Goods at their price',
  line_discount: 'Discount of a line',
  order_discount: 'Discount of the order',
  shipping: 'Shipping paid',
  tip: 'Tip',
  duty: 'Duties',
  order_rounding: 'Rounding of the order',
  tax_added: 'Tax on top of prices',
  tax: 'Tax',
  tax_refund: 'Refunded tax',
  fulfillment: 'Packing and shipping',
  rounding: 'Rounding',
};

const ORDERS = [
  { id: 'amount', label: 'By amount' },
  { id: 'time', label: 'By time' },
] as const;
const PAGE = 50;

interface Props {
  shop: string;
  figure: ExplainableFigure;
  label: string;
  range: Range;
  onClose: () => void;
}

/** What a figure is made of, entry by entry (`GET /v1/metrics/explain`). */
export function Explanation({ shop, figure, label, range, onClose }: Props) {
  const [sort, setSort] = useState<string>('amount');
  const query = `figure=${figure}&from=${range.from}&to=${range.to}&sort=${sort}&limit=${PAGE}`;
  return (
    <Dialog title={label} onClose={onClose} wide>
      <div class="panel-head">
        <p class="note">{formatRange(range)}</p>
        <label class="field inline">
          <span>Sorted</span>
          <select value={sort} onChange={(event) => setSort(event.currentTarget.value)}>
            {ORDERS.map(({ id, label: text }) => (
              <option key={id} value={id}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Entries key={query} path={shopApi(shop, `/v1/metrics/explain?${query}`)} />
      <form method="dialog" class="row">
        <button>Close</button>
      </form>
    </Dialog>
  );
}

/** The entries of one question, page after page. */
function Entries({ path }: { path: string }) {
  const [entries, setEntries] = useState<Contribution[]>([]);
  const [last, setLast] = useState<ExplainResponse | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);

  const more = (cursor: string | undefined, signal?: AbortSignal): void => {
    setBusy(true);
    setFailure(null);
    const place = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    read<ExplainResponse>(path + place, signal)
      .then(
        (answer) => {
          setEntries((before) => [...before, ...answer.entries]);
          setLast(answer);
        },
        (error: unknown) => {
          if (signal?.aborted !== true) setFailure(failureOf(error));
        },
      )
      .finally(() => setBusy(false));
  };
  useEffect(() => {
    const abort = new AbortController();
    more(undefined, abort.signal);
    return () => abort.abort();
  }, []);

  const retry = (): void => more(last?.next);
  return (
    <>
      {last === null && failure === null && <Loading what="entries" rows={6} />}
      {last !== null && entries.length === 0 && <p class="empty">Nothing counts on these days.</p>}
      {last !== null && entries.length > 0 && <EntryTable {...last} entries={entries} />}
      {failure !== null && <Trouble failure={failure} retry={retry} />}
      {last?.next !== undefined && failure === null && (
        <button type="button" disabled={busy} onClick={retry}>
          Show more
        </button>
      )}
    </>
  );
}

function EntryTable({ entries, currency, total, next }: ExplainResponse) {
  const foot = (
    <tr>
      <th scope="row" colSpan={3}>
        {next === undefined ? `Total of ${formatCount(entries.length)}` : 'Total, with the entries to come'}
      </th>
      <td class="number">{formatMoney(total, currency)}</td>
    </tr>
  );
  return (
    <Table label="Entries" columns={[...words('Day', 'What', 'Of'), ...numbers('Amount')]} isTall foot={foot}>
      {entries.map((entry, i) => (
        <tr key={i}>
          <td>{formatDay(entry.date)}</td>
          <td>{KINDS[entry.kind]}</td>
          <td class="wide">{subjectOf(entry, currency)}</td>
          <td class="number">{formatMoney(entry.amount, currency)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The order, article, channel or expense of an entry, and how its amount comes about. */
function subjectOf({ kind, source, ...entry }: Contribution, currency: string): string {
  const { quantity, unit_cost: cost } = entry;
  const texts = [
    entry.order_id !== undefined && `Order ${entry.order_id}`,
    entry.sku,
    quantity !== undefined && cost !== undefined && `${formatQuantity(quantity)} × ${formatExactMoney(cost, currency)}`,
    source.from === 'catalog' && catalogVersion(source.effective_from),
    kind === 'fee_estimate' && `${source.payment_gateway}: ${source.percent} % + ${source.fixed}`,
    kind === 'spend' && entry.channel,
    source.campaign_id !== undefined && `Campaign ${source.campaign_id}`,
    source.name,
  ];
  return texts.filter((text) => typeof text === 'string').join(' · ');
}

function catalogVersion(day: string | null | undefined): string {
  return day == null ? 'catalog' : `catalog from ${formatDay(day)}`;
}
