import { Copyable } from '../shared/dialog.js';
import { Panel } from '../shared/frame.js';

export function snippet(origin: string, token: string): string {
  return `<script async src="${origin}/pixel.js" data-token="${token}"></script>`;
}

/** How the pixel gets into the pages of a shop. */
export function PixelSnippet({ shop }: { shop: string }) {
  return (
    <Panel
      title="Pixel"
      note="It tells which channel an order came from. Nothing is stored or sent before the visitor consents."
    >
      <p class="note">
        Put this into the head of every page of the shop, with a pixel token of the{' '}
        <a href={`/developers?shop=${encodeURIComponent(shop)}&tab=keys`}>keys</a> in place of the dots:
      </p>
      <Copyable text={snippet(location.origin, 'pt_svc_…')} label="Pixel snippet" long />
      <p class="note">
        On the page after the checkout, tell it of the purchase:{' '}
        <code>{`profit('purchase', { order_id: '1001' })`}</code>.
      </p>
    </Panel>
  );
}
