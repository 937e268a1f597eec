import type { AttributionResponse } from '../../../schemas/attribution.js';
import { Amount } from '../shared/amount.js';
import { Icon } from '../shared/icon.js';
import { channelName } from './names.js';

type Entries = NonNullable<AttributionResponse['left_out']>;
const MOST = 5;

/** Money in other currencies that no figure here contains, what follows from that, and the way out. */
export function LeftOut({ entries, note, currency }: { entries: Entries; note: string; currency: string }) {
  const shown = entries.slice(0, MOST);
  return (
    <p class="notice bar">
      <Icon name="warn" />
      <span>
        {shown.length === 0 ? (
          note
        ) : (
          <>
            <b>
              {shown.map((entry, i) => (
                <span key={i}>
                  {i > 0 && ', '}
                  {channelName(entry.channel)}: <Amount value={entry.ad_spend} currency={entry.currency} />
                </span>
              ))}
              {entries.length > MOST && ` and ${entries.length - MOST} more`} of spend in other currencies is left out
            </b>
            , because this shop counts in {currency}. Profit is too high by that spend.
          </>
        )}{' '}
        <a href="/docs">Push it in {currency}</a>
      </span>
    </p>
  );
}

/** The currencies in which spend of a channel is left out; that has the name under which it was sent. */
export function currenciesOf(channel: string, leftOut: Entries): string[] {
  const name = channelName(channel);
  return leftOut.filter((entry) => channelName(entry.channel) === name).map(({ currency }) => currency);
}
