import { shopApi } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { Answer, Panel } from '../shared/frame.js';
import type { Connection, ConnectionsResponse } from '../../../schemas/connections.js';
import { useRead } from '../shared/use-read.js';

const STATES: Record<string, { text: string; tone: string }> = {
  connected: { text: 'Connected', tone: 'good' },
  needs_reauth: { text: 'Needs a new key', tone: 'bad' },
  uninstalled: { text: 'Uninstalled', tone: 'bad' },
  not_connected: { text: 'Not connected', tone: '' },
};

/** Where the data comes from. A channel or state that is not known here is shown as it is. */
export function Sources({ shop }: { shop: string }) {
  const answer = useRead<ConnectionsResponse>(shopApi(shop, '/v1/connections'));
  return (
    <Panel title="Connections">
      <Answer of={answer} what="connections">
        {({ connections }) => (
          <>
            {connections.length === 0 && <p class="empty">Nothing is connected yet.</p>}
            <ul class="connections">
              {connections.map((connection) => (
                <Entry key={connection.channel} {...connection} />
              ))}
            </ul>
          </>
        )}
      </Answer>
    </Panel>
  );
}

function Entry({ channel, status, shop_domain, currency, ad_accounts, last_synced_at }: Connection) {
  const { text, tone } = STATES[status] ?? { text: status, tone: '' };
  const facts = [
    shop_domain,
    currency,
    ad_accounts === undefined ? undefined : `${ad_accounts} ad account${ad_accounts === 1 ? '' : 's'}`,
    last_synced_at === undefined ? undefined : `last data ${formatMoment(last_synced_at)}`,
  ].filter((fact) => fact !== undefined);
  return (
    <li>
      <div>
        <strong>{channel}</strong>
        <span class="note">{facts.join(' · ')}</span>
      </div>
      <span class={`state ${tone}`}>{text}</span>
    </li>
  );
}
