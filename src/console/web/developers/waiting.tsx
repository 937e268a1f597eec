import type { RejectionsResponse } from '../../../schemas/rejections.js';
import { shopApi } from '../shared/api.js';
import { Icon } from '../shared/icon.js';
import { usePolled } from '../shared/use-polled.js';

const never = (): boolean => false;

/** Says that no order is there yet, and why the last one was refused. */
export function Waiting({ shop, log }: { shop: string; log: string }) {
  const { data } = usePolled<RejectionsResponse>(shopApi(shop, '/v1/ingest/rejections?kind=orders&limit=1'), never);
  const refused = data?.rejections[0];
  return (
    <div role="status" class="waiting">
      <p>
        <span class="pulse" aria-hidden="true" />
        <b>Waiting for your first order…</b> <span class="soft">This page looks every 2 s.</span>
      </p>
      {refused !== undefined && (
        <p class="alert-bar">
          <Icon name="bad" />
          <span>
            <b>{refused.id === null ? 'An order was refused.' : `Order ${refused.id} was refused.`}</b>{' '}
            {refused.errors[0]?.message}
          </span>
          <a href={log}>See why</a>
        </p>
      )}
    </div>
  );
}
