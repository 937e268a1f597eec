import type { MetricsAnswer } from '../shared/answers.js';
import { formatCount, formatMoney, formatPercent } from '../shared/money.js';

interface Props {
  figures: MetricsAnswer;
  /** Of the period to compare with. */
  before: MetricsAnswer | undefined;
  currency: string;
}

/** Counts and averages; what can't be computed is a dash that says why. */
export function Ratios({ figures, before, currency }: Props) {
  const money = (value: string): string => formatMoney(value, currency);
  const cells = [
    { key: 'orders', label: 'Orders', format: formatCount, why: '' },
    { key: 'aov', label: 'Average order', format: money, why: 'no orders' },
    {
      key: 'blended_roas',
      label: `Revenue for each ${money('1').replace(/\D00$/, '')} of ads`,
      format: money,
      why: 'no ads',
    },
    { key: 'mer', label: 'Ads, share of revenue', format: formatPercent, why: 'no revenue' },
  ] as const;
  return (
    <dl class="panel flush ratios">
      {cells.map(({ key, label, format, why }) => {
        const [value, earlier] = [figures[key], before?.[key] ?? null];
        return (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <data value={String(value ?? '')} data-metric={key}>
                {value === null ? '–' : format(String(value))}
              </data>
              {value === null && <span class="aside">{why}</span>}
              {before !== undefined && <span class="sub">was {earlier === null ? '–' : format(String(earlier))}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
