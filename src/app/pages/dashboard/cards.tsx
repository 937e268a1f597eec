import type { MetricDefinition, Metrics } from '../../../domain/metrics.js';
import { changeOf, formatCount, formatMoney, formatRatio } from '../shared/money.js';
import type { MetricsAnswer } from './answers.js';

type Name = keyof Metrics;

/** Of these less is better; of the others that are coloured, more. */
const LESS_IS_BETTER = new Set<Name>(['refunds', 'mer']);
const NEUTRAL = new Set<Name>(['cogs', 'gateway_fees', 'ad_spend']);
const RATIOS = new Set<Name>(['mer', 'blended_roas']);

/** A value as it is shown; the dash stands for what can't be computed. */
export function formatMetric(name: Name, value: string | number | null, currency: string): string {
  if (value === null) return '–';
  if (typeof value === 'number') return formatCount(value);
  return RATIOS.has(name) ? formatRatio(value) : formatMoney(value, currency);
}

/** The figure that everything else leads to stands first. */
const CHIEF: Name = 'net_profit';

/** One card a definition, whatever the catalogue holds. */
export function Cards(props: { definitions: MetricDefinition[]; now: MetricsAnswer; before: MetricsAnswer | null }) {
  const ordered = props.definitions.toSorted((a, b) => Number(b.key === CHIEF) - Number(a.key === CHIEF));
  return (
    <ul class="cards" aria-label="Figures">
      {ordered.map((definition) => (
        <Card key={definition.key} definition={definition} now={props.now} before={props.before} />
      ))}
    </ul>
  );
}

function Card(props: { definition: MetricDefinition; now: MetricsAnswer; before: MetricsAnswer | null }) {
  const { key, label, formula, description } = props.definition;
  const { currency } = props.now;
  const value = props.now[key];
  const before = props.before === null ? null : props.before[key];
  const tip = `tip-${key}`;
  return (
    <li class={`card ${key === CHIEF ? 'chief' : ''}`}>
      <div class="card-head">
        <h2>{label}</h2>
        <button
          type="button"
          class="about"
          aria-label={`About ${label}`}
          aria-describedby={tip}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        >
          <span aria-hidden="true">?</span>
        </button>
        <div role="tooltip" id={tip} class="tip">
          <code>
            {key} = {formula}
          </code>
          <span>{description}</span>
        </div>
      </div>
      <data class={`value ${isNegative(value) ? 'negative' : ''}`} value={String(value ?? '')} data-metric={key}>
        {formatMetric(key, value, currency)}
      </data>
      <Difference name={key} value={value} before={before} currency={currency} />
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
  const was = before === null ? '' : `before: ${formatMetric(name, before, currency)}`;
  if (change === null) return <p class="change">{was === '' ? 'no comparison' : was}</p>;
  const better = (change.direction === 'up') !== LESS_IS_BETTER.has(name);
  const colour = change.direction === 'flat' || NEUTRAL.has(name) ? '' : better ? 'better' : 'worse';
  return (
    <p class="change">
      <span class={colour}>{change.text}</span> {was}
    </p>
  );
}

const text = (value: string | number | null): string | null => (value === null ? null : String(value));
const isNegative = (value: string | number | null): boolean => String(value).startsWith('-');
