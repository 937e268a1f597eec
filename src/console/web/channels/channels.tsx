import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import type { AttributionResponse } from '../../../schemas/attribution.js';
import { shopApi } from '../shared/api.js';
import { Answer } from '../shared/frame.js';
import { useRead } from '../shared/use-read.js';
import { ChannelTable } from './channel-table.js';
import { Losses } from './losses.js';

const MODELS = [
  { id: 'last_touch', label: 'Last visit' },
  { id: 'first_touch', label: 'First visit' },
  { id: 'linear', label: 'All visits alike' },
] as const;

/** Which ads paid off, and whether that is proved (`GET /v1/attribution`). */
export function Channels({ view }: { view: View }) {
  const { shop, from, to, address } = view;
  const model = MODELS.find(({ id }) => id === address.query.get('model'))?.id ?? 'last_touch';
  const query = `from=${from}&to=${to}&model=${model}&include=losses`;
  const answer = useRead<AttributionResponse>(shopApi(shop, `/v1/attribution?${query}`));
  return (
    <div class={answer.loading && answer.data !== null ? 'stack stale' : 'stack'}>
      <section class="panel flush" aria-labelledby="channels">
        <div class="panel-head">
          <h2 id="channels">Where orders came from</h2>
          <nav class="segments" aria-label="Which visit counts">
            {MODELS.map(({ id, label }) => (
              <a
                key={id}
                href={linkHere(address, { model: id === 'last_touch' ? null : id })}
                aria-current={id === model ? 'true' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
        </div>
        <Answer of={answer} what="channels" rows={8}>
          {(page) =>
            page.channels.length === 0 ? (
              <p class="empty">No orders and no spend in these days.</p>
            ) : (
              <>
                <ChannelTable page={page} view={view} />
                <p class="panel-foot">
                  A visit counts for an order for 30 days. Proved: an ad click that nothing contradicts, or a known
                  site, brought the visit. Claimed: only the words in the link say so. Unclear: no sign, or signs that
                  contradict each other.
                </p>
              </>
            )
          }
        </Answer>
      </section>
      {answer.data?.currency_note !== undefined && <p class="notice">{answer.data.currency_note}</p>}
      {answer.data?.losses !== undefined && answer.data.losses.length > 0 && (
        <Losses losses={answer.data.losses} currency={view.currency} />
      )}
    </div>
  );
}
