import type { Loss, LossCause } from '../../../schemas/attribution.js';

const SHORT: Readonly<Record<LossCause, string>> = {
  no_pixel: 'no pixel that day',
  before_pixel: 'before the pixel',
  not_named: 'no consent, or left early',
  too_old: 'visits too long ago',
  clock: 'a wrong clock',
  bot: 'a bot',
};
const MOST = 2;

/** Why no visit is seen, in a few words: the causes of most orders. */
export function lossWords(losses: readonly Loss[]): string {
  const orders = new Map<LossCause, number>();
  for (const loss of losses) orders.set(loss.cause, (orders.get(loss.cause) ?? 0) + loss.orders);
  const causes = [...orders].sort(([, a], [, b]) => b - a).map(([cause]) => SHORT[cause]);
  return causes.length > MOST ? `${causes.slice(0, MOST).join(', ')}, and others` : causes.join(', ');
}
