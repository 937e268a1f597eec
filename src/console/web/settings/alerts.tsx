import type { AlertsAnswer } from '../../../schemas/alerts.js';
import type { Shop } from '../../../schemas/app.js';
import { shopApi } from '../shared/api.js';
import { Answer } from '../shared/frame.js';
import { useRead } from '../shared/use-read.js';
import { AlertList } from './alert-list.js';
import { AlertRules } from './alert-rules.js';
import { AlertWebhook } from './alert-webhook.js';

/** Of what the shop wants alerts, which were raised, and where they are sent. */
export function Alerts({ shop }: { shop: Shop }) {
  const path = shopApi(shop.shop_id, '/alerts');
  const loaded = useRead<AlertsAnswer>(path);
  const currency = shop.currency ?? 'EUR';
  return (
    <Answer of={loaded} what="alerts" rows={8}>
      {({ rules, alerts, webhook }) => (
        <>
          <AlertRules path={path} rules={rules} alerts={alerts} currency={currency} onSaved={loaded.reload} />
          <AlertList alerts={alerts} currency={currency} />
          <AlertWebhook path={path} webhook={webhook} onSaved={loaded.reload} />
        </>
      )}
    </Answer>
  );
}
