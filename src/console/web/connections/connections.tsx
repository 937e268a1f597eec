import type { Address } from '../app/address.js';
import { rangeOf } from '../app/range.js';
import type { Shop } from '../../../schemas/app.js';
import type { ConnectionsResponse } from '../../../schemas/connections.js';
import type { IngestStatus } from '../../../schemas/ingest-status.js';
import { shopApi } from '../shared/api.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { Answer } from '../shared/frame.js';
import { useRead } from '../shared/use-read.js';
import { ConnectionTable } from './connection-table.js';
import { rowsOf } from './rows.js';
import { ShopifyHook } from './shopify-hook.js';

/** Does everything arrive, and what is there to do? */
export function Connections({ shop, address }: { shop: Shop; address: Address }) {
  const { shop_id, currency } = shop;
  const timezone = shop.timezone ?? 'UTC';
  const asked = rangeOf(address.query, timezone);
  const status = useRead<IngestStatus>(shopApi(shop_id, '/v1/ingest/status'));
  const connections = useRead<ConnectionsResponse>(shopApi(shop_id, '/v1/connections'));
  // What is in another currency is asked of the days of the address, as on every page.
  const days = currency === null || 'fault' in asked ? null : `from=${asked.range.from}&to=${asked.range.to}`;
  const figures = useRead<MetricsAnswer>(days === null ? null : shopApi(shop_id, `/v1/metrics?${days}`));
  const isReady = days === null || figures.data !== null || figures.failure !== null;
  return (
    <>
      <div class="head">
        <h1>Connections</h1>
      </div>
      <div class="stack">
        <section class="panel flush" aria-label="Connections">
          <Answer of={status} what="ingest state" rows={6}>
            {(ingest) => (
              <Answer of={{ ...connections, data: isReady ? connections.data : null }} what="connections" rows={6}>
                {(list) => (
                  <>
                    <ConnectionTable rows={rowsOf(list, ingest, figures.data?.left_out ?? [])} shop={shop} />
                    <p class="panel-foot">
                      What is refused counts nowhere. Correct it where it comes from and send it again: sending twice is
                      harmless.
                    </p>
                  </>
                )}
              </Answer>
            )}
          </Answer>
        </section>
        <ShopifyHook key={shop_id} shop={shop} />
      </div>
    </>
  );
}
