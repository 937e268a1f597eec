import type { LossCause } from '../../schemas/attribution.js';
import { INTERNAL_CHANNEL } from '../events/channel.js';
import type { OrderVisits } from './order-visits.js';

/** What is stored of an unattributed order; the days of the shop's events tell more where it is `not_named`. */
export type StoredCause = Exclude<LossCause, 'no_pixel' | 'before_pixel'>;

/** Under this name, besides the models, the rollup of channels holds the unattributed orders by their cause. */
export const LOSSES = 'losses';

/** Why none of these visits is credited with their order. */
export function causeOf({ touches, orderAt }: OrderVisits, isNamed: boolean): StoredCause {
  if (!isNamed) return 'not_named';
  return touches.some(({ at, channel }) => at > orderAt && channel !== INTERNAL_CHANNEL) ? 'clock' : 'too_old';
}

/** Days of a shop on which events of its pages arrived. */
export interface PixelDays {
  /** Null: none ever did. */
  readonly first: string | null;
  readonly days: ReadonlySet<string>;
}

/** The cause by what is known of the day: without an event of anybody, none could name the order. */
export function causeOnDay(cause: string, day: string, { first, days }: PixelDays): LossCause {
  if (cause !== 'not_named') return cause as LossCause;
  if (first !== null && day < first) return 'before_pixel';
  return days.has(day) ? 'not_named' : 'no_pixel';
}
