import type { Shop } from '../../../schemas/app.js';
import { settingsPath } from '../app/address.js';
import { ALERT_NAMES } from '../settings/alert-words.js';
import { Icon } from '../shared/icon.js';

/** What the shop asked to be alerted of and is so now. */
export function AlertBar({ shop: { shop_id, alerts } }: { shop: Shop }) {
  if (alerts.length === 0) return null;
  return (
    <div class="alert-bar">
      <Icon name="warn" />
      <p>
        <strong>{alerts.map((kind) => ALERT_NAMES[kind]).join(' · ')}</strong>
      </p>
      <a href={settingsPath(shop_id, 'alerts')}>See the alerts</a>
    </div>
  );
}
