import type { World } from '../world/world.js';
import type { Claim } from './record.js';

/** Of an event that was sent several times the first attempt: it may be the one that is stored. */
export function firstAttempts(claims: readonly Claim[]): Claim[] {
  const events = claims.filter(({ item }) => item.kind === 'events');
  return [...new Map(events.toReversed().map((claim) => [claim.item.tag, claim])).values()];
}

/** The log counts every event that was taken, and no other; what got no answer may have been taken. */
export function checkEventCount({ tables }: World, shopId: string, claims: readonly Claim[], found: string[]): void {
  let logged = 0;
  for (const key of tables.ingestLog.keys()) {
    const row = tables.ingestLog.final(key);
    if (row?.shop_id === shopId && row.kind === 'events') logged += Number(row.accepted);
  }
  const own = claims.filter(({ item }) => item.kind === 'events');
  const least = own.filter(({ outcome }) => outcome === 'accepted').length;
  if (logged < least || logged > own.length) {
    found.push(`${shopId}: the log has ${logged} events, and ${least} to ${own.length} were taken`);
  }
}
