import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

const longestRemembered = 512;
const remembered = new LRUCache<string, boolean>({ max: 1_000 });

/**
 * Whether a user agent is a crawler, a script or an automated browser (headless Chromium included). An absent or empty
 * one is not. Verdicts are remembered, because one test takes longer than the rest of the enrichment.
 */
export function isBot(userAgent: string | undefined): boolean {
  if (userAgent === undefined || userAgent === '') return false;
  if (userAgent.length > longestRemembered) return isbot(userAgent);
  let bot = remembered.get(userAgent);
  if (bot === undefined) {
    bot = isbot(userAgent);
    remembered.set(userAgent, bot);
  }
  return bot;
}
