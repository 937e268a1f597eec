import type { Share, Touch } from '../../domain/attribution/attribution.js';
import type { StoredCause } from '../../domain/attribution/losses.js';
import type { Warehouse } from '../client.js';
import { dateTimeText } from '../columns/date-time.js';

/** Credit of one order: the share of the one touch, or those of `linear`. */
export interface OrderCredit {
  shopId: string;
  orderId: string;
  placedDay: string;
  lastTouch: Share;
  firstTouch: Share;
  linear: readonly Share[];
  /** The touches that `linear` credits, oldest first. */
  path: readonly Touch[];
  /** Why it is unattributed; null: it is not. */
  loss: StoredCause | null;
}

/** `version` is a stamp taken before the evidence was read, so that the later computation wins. */
export async function writeCredits(
  warehouse: Warehouse,
  credits: readonly OrderCredit[],
  version: number,
): Promise<void> {
  await warehouse.insert(
    'order_attribution',
    credits.map(({ shopId, orderId, placedDay, lastTouch, firstTouch, linear, path, loss }) => ({
      shop_id: shopId,
      placed_day: placedDay,
      order_id: orderId,
      version,
      last_touch: lastTouch.channel,
      last_evidence: lastTouch.evidence,
      last_campaign: lastTouch.campaign,
      first_touch: firstTouch.channel,
      first_evidence: firstTouch.evidence,
      first_campaign: firstTouch.campaign,
      touches: Number(linear[0]?.denominator ?? 1n),
      'linear.channel': linear.map((share) => share.channel),
      'linear.evidence': linear.map((share) => share.evidence),
      'linear.campaign': linear.map((share) => share.campaign),
      'linear.touches': linear.map((share) => Number(share.numerator)),
      loss: loss ?? '',
      'path.at': path.map(({ at }) => dateTimeText(at)),
      'path.channel': path.map(({ channel }) => channel),
      'path.evidence': path.map(({ evidence }) => evidence),
      'path.event_id': path.map(({ eventId }) => eventId),
      'path.campaign': path.map(({ campaign }) => campaign),
    })),
  );
}
