import { useState } from 'preact/hooks';
import type { Range } from '../shared/days.js';
import { FailureNotice, useAction } from '../shared/frame.js';
import { findLatestOrders } from './latest-orders.js';

/** Where nothing happened: the way to days on which something did. */
export function NoActivity({
  shop,
  range,
  setRange,
}: {
  shop: string;
  range: Range;
  setRange: (range: Range) => void;
}) {
  const { busy, failure, run } = useAction();
  const [none, setNone] = useState(false);
  const find = () =>
    run(async () => {
      const found = await findLatestOrders(shop, range.to);
      if (found === null) setNone(true);
      else setRange(found);
    });
  return (
    <div class="empty">
      <p>
        {none
          ? 'This shop has no orders up to these days. Push one with a key from Developers, or import a history with profit import orders.'
          : 'Nothing was sold, returned or advertised in these days.'}
      </p>
      {failure !== null && <FailureNotice failure={failure} />}
      <div class="row">
        {!none && (
          <button type="button" class="primary" disabled={busy} onClick={() => void find()}>
            {busy ? 'Looking…' : 'Go to the latest orders'}
          </button>
        )}
        <a href={`/developers?shop=${encodeURIComponent(shop)}`}>Developers</a>
      </div>
    </div>
  );
}
