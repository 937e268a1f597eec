import { ALERT_NAMES } from '../settings/alert-words.js';
import type { Shop } from '../../../schemas/app.js';
import { useMay } from '../shared/signed-in.js';
import { pathOf } from './address.js';

/** All shops, each a link to its overview. */
export function Shops({ shops }: { shops: Shop[] }) {
  const isOwner = useMay('owner');
  if (shops.length === 0) {
    return (
      <>
        <h1>Welcome</h1>
        <p class="empty">
          There is no shop yet. <a href="/developers">Add one under Developers</a>, or import a real month with{' '}
          <code>npm run demo</code>.
        </p>
      </>
    );
  }
  return (
    <>
      <div class="head">
        <h1>All shops</h1>
        {isOwner && (
          <a class="button" href="/developers">
            Add a shop
          </a>
        )}
      </div>
      <ul class="panel flush list">
        {shops.map(({ shop_id, currency, timezone, closed_at, alerts }) => (
          <li key={shop_id}>
            <a class="door" href={pathOf(shop_id, 'overview')}>
              {shop_id}
            </a>
            <span class="sub">
              {currency === null ? 'currency and time zone are not known yet' : `${currency} · ${timezone ?? 'UTC'}`}
              {closed_at !== null && ' · closed'}
              {alerts.length > 0 && ` · ${alerts.map((kind) => ALERT_NAMES[kind]).join(' · ')}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
