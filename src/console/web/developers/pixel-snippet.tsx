import { Copyable } from '../shared/dialog.js';
import { Panel } from '../shared/frame.js';

export function snippet(origin: string, token: string): string {
  return `<script async src="${origin}/pixel.js" data-token="${token}"></script>`;
}

export function PixelSnippet() {
  return (
    <Panel
      title="Browser pixel"
      note="Put this into the head of every page of the shop, with a pixel token in place of the dots. Nothing is stored or sent before the visitor consents."
    >
      <Copyable text={snippet(location.origin, 'pt_svc_…')} label="Pixel snippet" long />
      <p class="note">
        On the page after the checkout, tell it of the purchase:{' '}
        <code>{`profit('purchase', { order_id: '1001' })`}</code>.
      </p>
    </Panel>
  );
}
