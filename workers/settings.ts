import type { Logger } from 'pino';
import { zonesVersion } from '../src/domain/zones/database.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { completeHistories } from '../src/warehouse/queries/complete-histories.js';
import { renewClocks } from '../src/warehouse/queries/zone-clocks.js';
import { withTags } from '../src/warehouse/tags.js';
import type { Loop } from './loop.js';

/** Keeps what is derived from the settings of the shops of a shard: their histories, and the clocks of their time zones. */
export function createSettingsLoop({ warehouse, log }: { warehouse: Warehouse; log: Logger }): Loop {
  return async () => {
    const renewed = await renewClocks(withTags(warehouse, () => ({ work: 'clocks of sources' })));
    if (renewed.length > 0)
      log.info(
        { zones: zonesVersion(), renewed: renewed.length },
        'clocks of sources renewed: "profit days check" lists the orders that would be on other days',
      );
    await completeHistories(withTags(warehouse, () => ({ work: 'histories of settings' })));
    return false;
  };
}
