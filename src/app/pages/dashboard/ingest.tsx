import { shopApi } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { Loading, Panel, Trouble } from '../shared/frame.js';
import { kindLabel } from '../shared/kinds.js';
import { formatCount } from '../shared/money.js';
import type { IngestStatus } from '../shared/types.js';
import { useRead } from '../shared/use-read.js';

const COVERAGE = [
  {
    key: 'cogs_complete',
    label: 'Product costs known',
    advice: 'Send unit_cost on the lines of orders, or a cost for every SKU with PUT /v1/products/costs.',
  },
  {
    key: 'gateway_fee_actual',
    label: 'Actual gateway fees',
    advice: 'Send gateway_fee with the orders; until then fee rules estimate it.',
  },
  { key: 'tax_present', label: 'Tax present', advice: 'Send tax with the orders, "0" where there is none.' },
] as const;

/** What arrives, and how complete it is. */
export function Ingest({ shop }: { shop: string }) {
  const { data, failure, reload } = useRead<IngestStatus>(shopApi(shop, '/v1/ingest/status'));
  return (
    <Panel title="What arrives" note="Coverage is over the counted orders of the last 30 days.">
      {failure !== null && <Trouble failure={failure} retry={reload} />}
      {data === null && failure === null && <Loading what="the ingest state" />}
      {data !== null && (
        <>
          <ul class="coverage">
            {COVERAGE.map(({ key, label, advice }) => (
              <Coverage key={key} label={label} advice={advice} percent={data.coverage[key]} />
            ))}
          </ul>
          <Kinds kinds={data.kinds} />
          <p class="note">
            Why items were rejected: see <a href={`/developers?shop=${shop}`}>Developers</a>.
          </p>
        </>
      )}
    </Panel>
  );
}

function Coverage({ label, percent, advice }: { label: string; percent: number | null; advice: string }) {
  return (
    <li>
      <div class="coverage-head">
        <span>{label}</span>
        <strong>{percent === null ? 'no orders' : `${percent} %`}</strong>
      </div>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" class="track" />
        <rect width={percent ?? 0} height="6" class="fill" />
      </svg>
      {percent !== null && percent < 100 && <p class="note">{advice}</p>}
    </li>
  );
}

function Kinds({ kinds }: { kinds: IngestStatus['kinds'] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="What arrived, table">
      <table>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Last received</th>
            <th scope="col" class="number">
              Accepted, 7 days
            </th>
            <th scope="col" class="number">
              Rejected
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(kinds).map(([kind, { last_received_at, windows }]) => (
            <tr key={kind}>
              <th scope="row">{kindLabel(kind)}</th>
              <td>{last_received_at === null ? 'never' : formatMoment(last_received_at)}</td>
              <td class="number">{formatCount(windows['7d'].accepted)}</td>
              <td class="number">{formatCount(windows['7d'].rejected)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
