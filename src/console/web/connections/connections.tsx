import type { IngestStatus } from '../../../schemas/ingest-status.js';
import { shopApi } from '../shared/api.js';
import { useRead } from '../shared/use-read.js';
import { Arrivals } from './arrivals.js';
import { Sources } from './sources.js';

/** Does everything arrive? */
export function Connections({ shop }: { shop: string }) {
  const status = useRead<IngestStatus>(shopApi(shop, '/v1/ingest/status'));
  return (
    <>
      <div class="head">
        <h1>Connections</h1>
      </div>
      <div class="columns two">
        <Arrivals shop={shop} status={status} />
        {(status.data !== null || status.failure !== null) && <Sources shop={shop} />}
      </div>
    </>
  );
}
