import type { Shop } from '../../../schemas/app.js';
import type { IngestStatus } from '../../../schemas/ingest-status.js';
import { settingsPath } from '../app/address.js';
import { shopApi } from '../shared/api.js';
import { FailureNotice } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';
import { zoneName } from '../shared/zone.js';
import { Step } from './step.js';

/** What there is to set up before a shop has its first order; ticks come as data arrives. */
export function FirstRun({ shop }: { shop: Shop }) {
  const { shop_id, currency, timezone, keys } = shop;
  const developers = `/developers?shop=${encodeURIComponent(shop_id)}`;
  const status = useRead<IngestStatus>(shopApi(shop_id, '/v1/ingest/status'));
  const has = (kind: keyof IngestStatus['kinds']): boolean =>
    (status.data?.kinds[kind].last_received_at ?? null) !== null;
  const done = {
    source: currency !== null,
    key: keys > 0,
    order: shop.has_orders,
    costs: has('product_costs'),
    spend: has('spend'),
    pixel: has('events'),
  };
  const first = Object.entries(done).find(([, is]) => !is)?.[0];
  const stateOf = (name: keyof typeof done) => (done[name] ? 'done' : name === first ? 'now' : 'open');
  const count = Object.values(done).filter(Boolean).length;
  return (
    <>
      <div class="head">
        <h1>Set up {shop_id}</h1>
        <span class="soft small">{count} of 6 done</span>
      </div>
      {status.failure !== null && <FailureNotice failure={status.failure} retry={status.reload} />}
      <section class="panel flush" aria-label="What there is to set up" aria-live="polite">
        <ol class="steps todo">
          <Step
            number={1}
            title="Currency and time zone"
            state={stateOf('source')}
            action="Settings"
            href={settingsPath(shop_id, 'shop')}
          >
            {currency === null
              ? 'Set them, or send them with PUT /v1/source'
              : `${currency}, days in ${zoneName(timezone)}`}
          </Step>
          <Step
            number={2}
            title="A key for the shop"
            state={stateOf('key')}
            action="Keys"
            href={`${developers}&tab=keys`}
          >
            {keys === 0 ? 'Whatever sends orders needs one' : `${formatCount(keys)} made`}
          </Step>
          <Step number={3} title="First order" state={stateOf('order')} action="Push an order" href={developers}>
            {first === 'order' && <span class="pulse" aria-hidden="true" />}
            Waiting. Connect your platform, or let a developer push one: about 2 minutes.
          </Step>
          <Step
            number={4}
            title="What your products cost"
            state={stateOf('costs')}
            action="Price"
            href={settingsPath(shop_id, 'costs')}
          >
            Without it the earnings are too high. A list with SKU and cost is enough.
          </Step>
          <Step
            number={5}
            title="What payments and ads cost"
            state={stateOf('spend')}
            action="Add"
            href={settingsPath(shop_id, 'fees')}
          >
            A fee rule for each way of paying; ad spend by day
          </Step>
          <Step
            number={6}
            title="The pixel"
            state={stateOf('pixel')}
            action="Install"
            href={settingsPath(shop_id, 'pixel')}
          >
            Optional: tells which channel an order came from
          </Step>
        </ol>
        <p class="panel-foot">Ticks come on their own, as data arrives.</p>
      </section>
    </>
  );
}
