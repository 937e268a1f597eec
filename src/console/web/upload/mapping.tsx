import { EXPORT_FIELDS, type AdExport } from '../../../domain/costs/ad-export.js';
import { UPLOADS } from './kinds.js';

const LABELS = new Map<string, string>([
  ...UPLOADS.spend.columns.map(({ name, label }): [string, string] => [name, label]),
  ['campaign_id', 'Campaign id'],
  ['adset_id', 'Ad set id'],
  ['adset_name', 'Name of the ad set'],
  ['ad_id', 'Ad id'],
  ['ad_name', 'Name of the ad'],
]);

/** Which column of an export is read as what, and what is not read. */
export function Mapping(props: { read: { found: AdExport; totals: number }; currency: string }) {
  const { found, totals } = props.read;
  const headerOf = (field: string): string | undefined => found.columns.find((one) => one.field === field)?.header;
  const currency = headerOf('currency') ?? found.currency;
  return (
    <section class="panel" aria-labelledby="mapping">
      <h2 id="mapping">Read as an export of {found.network}</h2>
      <ul>
        <li>Channel: {found.channel}</li>
        {EXPORT_FIELDS.filter((field) => headerOf(field) !== undefined).map((field) => (
          <li key={field}>
            {LABELS.get(field) ?? field}: column “{headerOf(field)}”
          </li>
        ))}
        {headerOf('currency') === undefined && (
          <li>
            Currency: {currency ?? `${props.currency}, the currency of the shop, because no column names another`}
          </li>
        )}
      </ul>
      <p class="note">
        {headerOf('campaign_id') === undefined &&
          'Without a column “Campaign ID” all lines of a day are one row. Use either files with it or without it: rows of both are added up. '}
        {totals > 0 && `${totals === 1 ? 'One line of totals is' : `${totals} lines of totals are`} left out. `}
        {found.unread.length > 0 && `Not read: ${found.unread.slice(0, 30).join(', ')}.`}
      </p>
    </section>
  );
}
