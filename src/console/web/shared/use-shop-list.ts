import type { ShopsAnswer } from '../../../schemas/app.js';
import { keepClock } from './clocks.js';
import { useRead, type Loaded } from './use-read.js';

/** All shops that the reader may see; what is drawn after it goes by their clocks. */
export function useShopList(): Loaded<ShopsAnswer> {
  const loaded = useRead<ShopsAnswer>('/app/api/shops');
  for (const { timezone, clock } of loaded.data?.shops ?? [])
    if (timezone !== null && clock !== null) keepClock(timezone, clock);
  return loaded;
}
