import { useState } from 'preact/hooks';
import type { FreshKey, KeysAnswer, Shop } from '../../../schemas/app.js';
import type { PushesResponse } from '../../../schemas/pushes.js';
import { linkHere, settingsPath, uploadPath, type Address } from '../app/address.js';
import { shopApi } from '../shared/api.js';
import { Copyable } from '../shared/dialog.js';
import { Loading, FailureNotice } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { usePolled } from '../shared/use-polled.js';
import { useRead } from '../shared/use-read.js';
import { zoneName } from '../shared/zone.js';
import { firstCalls } from './commands.js';
import { FirstOrder } from './first-order.js';
import { NewKey } from './new-key.js';
import { PROGRAMS } from './programs.js';
import { ShownOnce } from './shown-once.js';
import { StartStep } from './start-step.js';
import { Waiting } from './waiting.js';

interface Props {
  shop: Shop;
  address: Address;
  onChanged: () => void;
}

const hasOrder = ({ pushes }: PushesResponse): boolean => pushes.length > 0;

/** From a key to the first order and its profit; the page sees by itself how far that has come. */
export function QuickStart({ shop, address, onChanged }: Props) {
  const { shop_id, currency, timezone } = shop;
  const keys = useRead<KeysAnswer>(shopApi(shop_id, '/keys'));
  const [isAsking, setIsAsking] = useState(false);
  const [fresh, setFresh] = useState<FreshKey | null>(null);
  const arrival = usePolled(shopApi(shop_id, '/v1/ingest/pushes?kind=orders&limit=1'), hasOrder);
  const push = arrival.data?.pushes[0];
  const writers =
    keys.data?.keys.filter(({ state, scopes }) => state === 'live' && scopes.includes('orders:write')) ?? [];
  const hasKey = writers.length > 0;
  const language = Object.keys(PROGRAMS).find((name) => name === address.query.get('language')) ?? 'curl';
  const [calls] = useState(() => firstCalls(shop, new Date()));
  if ([keys, arrival].some(({ data, failure }) => data === null && failure === null))
    return <Loading what="the quick start" rows={8} />;
  return (
    <>
      <section class="panel flush" aria-label="Quick start">
        <ol class="steps todo">
          <StartStep
            number={1}
            state={currency === null ? 'now' : 'done'}
            title="Currency and time zone"
            action={
              <a class="button" href={settingsPath(shop_id, 'shop')}>
                Settings
              </a>
            }
          >
            <span class="sub">
              {currency === null
                ? 'Register them with your first push, below, or in the settings.'
                : `${currency}, days in ${zoneName(timezone)}. They are fixed by the first order.`}
            </span>
          </StartStep>
          <StartStep
            number={2}
            state={hasKey ? 'done' : 'now'}
            title="Make a secret key"
            action={
              <button type="button" class={hasKey ? '' : 'primary'} onClick={() => setIsAsking(true)}>
                Create key
              </button>
            }
          >
            <span class="sub">
              {keys.data !== null &&
                (hasKey
                  ? `${formatCount(writers.length)} ${writers.length === 1 ? 'key' : 'keys'} may push orders`
                  : 'No key works at the moment that may push orders')}
            </span>
          </StartStep>
          <StartStep
            number={3}
            state={push !== undefined ? 'done' : hasKey ? 'now' : 'open'}
            title={push === undefined ? 'Push your first order' : 'Your first order has arrived'}
          >
            {push === undefined ? (
              <>
                <p class="note">
                  With the key in the variable <code>PROFIT_KEY</code> this works as it is:
                </p>
                <nav class="segments" aria-label="Language">
                  {Object.keys(PROGRAMS).map((name) => (
                    <a
                      key={name}
                      href={linkHere(address, { language: name === 'curl' ? null : name })}
                      aria-current={name === language ? 'true' : undefined}
                    >
                      {name}
                    </a>
                  ))}
                </nav>
                <Copyable
                  text={PROGRAMS[language]?.(calls, location.origin) ?? ''}
                  label={`The first order, in ${language}`}
                  long
                />
                <Waiting shop={shop_id} log={linkHere(address, { shop: shop_id, tab: 'log', outcome: 'refused' })} />
              </>
            ) : (
              <FirstOrder shop={shop} push={push} />
            )}
            {arrival.failure !== null && <FailureNotice failure={arrival.failure} />}
          </StartStep>
          <StartStep
            number={4}
            state={push === undefined ? 'open' : 'now'}
            title="Say what products cost"
            action={
              <a class={push === undefined ? 'button' : 'button primary'} href={uploadPath(shop_id, 'costs')}>
                Upload costs
              </a>
            }
          >
            <span class="sub">Until then its profit is at most what is shown.</span>
          </StartStep>
        </ol>
      </section>
      <p class="note">
        Then: <a href="/docs">the guides</a> for ad spend, the history of past years and what your platform sends, and{' '}
        <a href={settingsPath(shop_id, 'pixel')}>the pixel</a>. What BI tools find in the warehouse is on{' '}
        <a href="/bi">the BI page</a>.
      </p>
      {isAsking && (
        <NewKey
          shop={shop_id}
          onClose={() => setIsAsking(false)}
          onCreated={(key) => {
            setIsAsking(false);
            setFresh(key);
            keys.reload();
          }}
        />
      )}
      {fresh !== null && (
        <ShownOnce
          fresh={fresh}
          shop={shop}
          onClose={() => {
            setFresh(null);
            onChanged();
          }}
        />
      )}
    </>
  );
}
