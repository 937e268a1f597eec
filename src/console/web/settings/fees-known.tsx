import type { FeeOrders } from '../../../schemas/app.js';
import { Amount } from '../shared/amount.js';
import { formatRange } from '../shared/days.js';
import { Icon } from '../shared/icon.js';
import { ofAll } from '../statement/verdict.js';

/** Of how many orders the fees are estimated, and of how many they are not known at all. */
export function FeesKnown({ of, currency }: { of: FeeOrders; currency: string }) {
  const { orders, estimated, unknown, fees, without_rule: named } = of;
  if (orders === 0) return null;
  const days = `of ${formatRange(of)}`;
  return (
    <>
      {estimated > 0 && (
        <p class="notice calm bar">
          <Icon name="about" />
          <span>
            The fees of{' '}
            <b>
              {ofAll(estimated, orders)} {days}
            </b>{' '}
            are estimated: <Amount value={fees} currency={currency} />. Send <code>gateway_fee</code> with each order to
            use actual fees.
          </span>
        </p>
      )}
      {unknown > 0 && (
        <p class="notice bar">
          <Icon name="warn" />
          <span>
            The fees of{' '}
            <b>
              {ofAll(unknown, orders)} {days}
            </b>{' '}
            are not known and count 0:{' '}
            {named.length === 0 ? 'the orders name no payment gateway.' : `no rule is for ${named.join(', ')}.`}
          </span>
        </p>
      )}
      {estimated === 0 && unknown === 0 && <p class="note">All orders {days} say their actual fee.</p>}
    </>
  );
}
