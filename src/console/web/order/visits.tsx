import type { OrderDetail } from '../../../schemas/order-detail.js';
import { Badge } from '../shared/badge.js';
import { channelName } from '../channels/names.js';
import { formatMoment } from '../shared/days.js';
import { Panel } from '../shared/frame.js';

const EVIDENCE = {
  proved: { tone: 'good', word: 'proved' },
  claimed: { tone: 'calm', word: 'claimed' },
  ambiguous: { tone: 'warn', word: 'unclear' },
} as const;

/** Which visits led to the order, and how sure their channel is. */
export function Visits({ order }: { order: OrderDetail }) {
  return (
    <Panel title="Channel">
      <p>{channelName(order.channel)}</p>
      {order.touches.length === 0 ? (
        <p class="soft">No visit was seen for this order.</p>
      ) : (
        <ul class="visits">
          {order.touches.map(({ at, channel, evidence }) => (
            <li key={at}>
              <span>
                {channelName(channel)}
                <span class="sub">{formatMoment(at)}</span>
              </span>
              <Badge tone={EVIDENCE[evidence].tone}>{EVIDENCE[evidence].word}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
