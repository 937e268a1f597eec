import { useState } from 'preact/hooks';
import type { MetricDefinition } from '../../../domain/metrics/metrics.js';
import { changeOf } from '../shared/money.js';
import { amountsOf, type MetricsAnswer } from './answers.js';
import { Explanation } from './explanation.js';
import { cardsOf, CHIEF, formatMetric, isExplainable, widthInEms, type Definition, type Name } from './metric.js';
import { Bound, Gaps, NoExpenses, UnknownCosts } from './profit-notes.js';

/** Of these less is better; of the others that are coloured, more. */
const LESS_IS_BETTER = new Set<Name>(['refunds', 'mer']);
const NEUTRAL = new Set<Name>(['cogs', 'gateway_fees', 'ad_spend', 'operating_expenses']);

/** From this width in ems on a figure gets the whole row of a phone. */
const WIDE = 8.5;

interface Props {
  shop: string;
  now: MetricsAnswer;
  /** The period before; null while it is not known. */
  before: MetricsAnswer | null;
}

/** One card a definition, whatever the catalogue holds. */
export function Cards({ definitions, ...props }: Props & { definitions: MetricDefinition[] }) {
  return (
    <ul class="cards" aria-label="Figures">
      {cardsOf(definitions).map((definition) => (
        <Card key={definition.key} definition={definition} {...props} />
      ))}
    </ul>
  );
}

function Card({ definition, shop, now, before }: Props & { definition: Definition }) {
  const { key, label, formula, description } = definition;
  const [open, setOpen] = useState(false);
  const [explained, setExplained] = useState(false);
  const value = amountsOf(now)[key];
  const earlier = before === null ? null : amountsOf(before)[key];
  const text = formatMetric(key, value, now.currency);
  const ems = widthInEms(text);
  return (
    <li class={`card ${key === CHIEF ? 'chief' : ''} ${ems > WIDE ? 'wide' : ''}`}>
      <div class="card-head">
        <h2>
          {label} {key === CHIEF && <Bound {...now} />}
        </h2>
        <button
          type="button"
          class="about"
          aria-label={`About ${label}`}
          aria-expanded={open}
          aria-controls={`about-${key}`}
          onClick={() => setOpen(!open)}
        >
          <span aria-hidden="true">?</span>
        </button>
      </div>
      <data
        class={`value ${isNegative(value) ? 'negative' : ''}`}
        style={{ '--ems': String(ems) }}
        value={String(value ?? '')}
        data-metric={key}
      >
        {text}
      </data>
      <Difference name={key} value={value} before={earlier} currency={now.currency} />
      {key === 'net_profit' && <UnknownCosts {...now} />}
      {key === CHIEF && <Gaps {...now} />}
      {key === CHIEF && <NoExpenses shop={shop} now={now} />}
      <div id={`about-${key}`} class="explanation" hidden={!open}>
        <code>
          {key} = {formula}
        </code>
        <span>{description}</span>
        {isExplainable(key) && (
          <button type="button" onClick={() => setExplained(true)}>
            Show what it is made of
          </button>
        )}
      </div>
      {explained && isExplainable(key) && (
        <Explanation shop={shop} figure={key} label={label} range={now} onClose={() => setExplained(false)} />
      )}
    </li>
  );
}

function Difference(props: {
  name: Name;
  value: string | number | null;
  before: string | number | null;
  currency: string;
}) {
  const { name, value, before, currency } = props;
  const change = changeOf(text(value), text(before));
  const was = (
    <>
      before: <span class="amount">{formatMetric(name, before, currency)}</span>
    </>
  );
  // Nothing before and nothing now has neither a per cent nor a difference worth telling.
  const isNothing = change?.percent === null && change.direction === 'flat';
  if (change === null || isNothing) return <p class="change">{before === null ? 'no comparison' : was}</p>;
  const better = (change.direction === 'up') !== LESS_IS_BETTER.has(name);
  const colour = change.direction === 'flat' || NEUTRAL.has(name) ? '' : better ? 'better' : 'worse';
  return (
    <p class="change">
      <strong class={`amount ${colour}`}>
        {change.percent ?? formatMetric(name, change.difference, currency, 'exceptZero')}
      </strong>{' '}
      {was}
    </p>
  );
}

const text = (value: string | number | null): string | null => (value === null ? null : String(value));
const isNegative = (value: string | number | null): boolean => String(value).startsWith('-');
