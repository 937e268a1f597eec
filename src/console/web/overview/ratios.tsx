import type { MetricsAnswer } from '../shared/answers.js';
import { formatCount, formatMoney, formatPercent } from '../shared/money.js';

/** Counts and averages; what can't be computed is a dash that says why. */
export function Ratios({ figures, currency }: { figures: MetricsAnswer; currency: string }) {
  const money = (value: string): string => formatMoney(value, currency);
  const { orders, aov, blended_roas, mer } = figures;
  const cells = [
    { key: 'orders', label: 'Orders', value: String(orders), text: formatCount(orders), why: '' },
    { key: 'aov', label: 'Average order', value: aov, text: aov && money(aov), why: 'no orders' },
    {
      key: 'blended_roas',
      label: `Revenue for each ${money('1').replace(/\D00$/, '')} of ads`,
      value: blended_roas,
      text: blended_roas && money(blended_roas),
      why: 'no ads',
    },
    { key: 'mer', label: 'Ads, share of revenue', value: mer, text: mer && formatPercent(mer), why: 'no revenue' },
  ];
  return (
    <dl class="panel flush ratios">
      {cells.map(({ key, label, value, text, why }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <data value={value ?? ''} data-metric={key}>
              {text ?? '–'}
            </data>
            {text === null && <span class="aside">{why}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
