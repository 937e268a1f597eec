import { Panel } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import type { MetricsAnswer } from './answers.js';

const SHARES = [
  {
    key: 'cogs_complete',
    label: 'Product costs known',
    advice:
      'Send unit_cost on the lines of orders, or a cost for every SKU with PUT /v1/products/costs. Until then an unknown cost counts as 0.',
  },
  {
    key: 'gateway_fee_actual',
    label: 'Actual gateway fees',
    advice:
      'Send gateway_fee with the orders. Until then the fee rule of the gateway estimates it; without a rule it counts as 0.',
  },
  { key: 'tax_present', label: 'Tax present', advice: 'Send tax with the orders, "0" where there is none.' },
] as const;

/** How much of the costs behind these very figures is known. */
export function Completeness({ coverage, orders }: MetricsAnswer) {
  return (
    <Panel
      title="How complete the costs are"
      id="completeness"
      note={`Of the ${formatCount(orders)} counted orders of these days.`}
    >
      <ul class="coverage">
        {SHARES.map(({ key, label, advice }) => (
          <Share key={key} label={label} advice={advice} percent={coverage[key]} />
        ))}
      </ul>
    </Panel>
  );
}

function Share({ label, percent, advice }: { label: string; percent: number | null; advice: string }) {
  return (
    <li>
      <div class="coverage-head">
        <span>{label}</span>
        <strong class="amount">{percent === null ? 'no orders' : `${percent} %`}</strong>
      </div>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" class="track" />
        <rect width={percent ?? 0} height="6" class="fill" />
      </svg>
      {percent !== null && percent < 100 && <p class="note">{advice}</p>}
    </li>
  );
}
