import type { IngestStatus } from '../../../schemas/ingest-status.js';
import { shopApi } from '../shared/api.js';
import { Badge } from '../shared/badge.js';
import { formatMoment } from '../shared/days.js';
import { Copyable } from '../shared/dialog.js';
import { Panel } from '../shared/frame.js';
import { useRead } from '../shared/use-read.js';

export function snippet(origin: string, token: string): string {
  return `<script async src="${origin}/pixel.js" data-token="${token}"></script>`;
}

/** How the pixel gets into the pages of a shop, and whether it works. */
export function PixelSnippet({ shop }: { shop: string }) {
  const status = useRead<IngestStatus>(shopApi(shop, '/v1/ingest/status'));
  const last = status.data?.kinds.events.last_received_at;
  return (
    <Panel
      title="Pixel"
      actions={
        <span class="row far">
          {typeof last === 'string' && <Badge tone="good">Works: last visit {formatMoment(last)}</Badge>}
          {last === null && <Badge tone="calm">No visit yet</Badge>}
        </span>
      }
      note="It tells which channel an order came from. Nothing is stored or sent before the visitor consents."
    >
      <h3>Put this into the head of every page</h3>
      <Copyable text={snippet(location.origin, 'pt_svc_…')} label="Pixel snippet" long />
      <p class="note">
        With a pixel token of the <a href={`/developers?shop=${encodeURIComponent(shop)}&tab=keys`}>keys</a> in place of
        the dots.
      </p>
      <h3>Say it on the page after the checkout</h3>
      <Copyable text={`profit('purchase', { order_id: '1001' })`} label="Purchase" long />
    </Panel>
  );
}
