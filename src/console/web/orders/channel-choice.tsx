import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import { channelName } from '../channels/names.js';
import type { AttributionResponse } from '../../../schemas/attribution.js';
import { shopApi } from '../shared/api.js';
import { Answer } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';

/** The channels of the last visits that led to orders of these days. */
export function ChannelChoice({ view: { shop, from, to, address } }: { view: View }) {
  const answer = useRead<AttributionResponse>(shopApi(shop, `/v1/attribution?from=${from}&to=${to}`));
  return (
    <Answer of={answer} what="channels" rows={4}>
      {({ channels }) => (
        <ul class="choices">
          {channels
            .filter(({ orders }) => orders > 0)
            .map(({ channel, orders }) => (
              <li key={channel}>
                <a href={linkHere(address, { channel })}>{channelName(channel)}</a>{' '}
                <span class="soft">{formatCount(orders)}</span>
              </li>
            ))}
        </ul>
      )}
    </Answer>
  );
}
