import { isGuardedCode, type Place } from '../region.js';
import type { Reader } from './reading.js';

type Layer = Partial<Record<string, unknown>>;
type Command = [name: unknown, action: unknown, values: Layer | undefined];

/**
 * Google consent mode: the `consent` commands in `dataLayer`. `analytics_storage` is analytics; `ad_storage` without a
 * denied `ad_user_data` is marketing. A `default` is a preset, an `update` is the visitor's choice.
 */
export function googleConsent(place: Place, changed: () => void): Reader {
  const seen = new WeakSet();
  const preset: Layer = {};
  const scoped: Layer = {};
  const update: Layer = {};
  let hooked: unknown;

  const apply = ([, action, values]: Command): void => {
    const region = values?.region as string[] | undefined;
    const layer = action === 'update' ? update : region ? scoped : preset;
    for (const key in values) if (concerns(place, region, values[key])) layer[key] = values[key];
  };

  return () => {
    const layer = (window as { dataLayer?: (Command | undefined)[] }).dataLayer;
    if (!layer) return {};
    for (const entry of layer) {
      if (entry?.[0] !== 'consent' || seen.has(entry)) continue;
      seen.add(entry);
      apply(entry);
    }
    if (layer !== hooked) {
      hooked = layer;
      const push = layer.push.bind(layer);
      layer.push = (...items) => {
        const length = push(...items);
        if (items.some((item) => item?.[0] === 'consent')) changed();
        return length;
      };
    }
    const all = { ...preset, ...scoped, ...update };
    const analytics = granted(all.analytics_storage);
    const marketing = all.ad_user_data === 'denied' ? false : granted(all.ad_storage);
    return {
      choice: [update.analytics_storage ? analytics : undefined, update.ad_storage ? marketing : undefined],
      preset: [analytics, marketing],
    };
  };
}

const granted = (value: unknown): boolean | undefined => (value ? value === 'granted' : undefined);

/**
 * Whether a value concerns this visitor, of a command that may name its regions. Where it is only possible that they
 * hold the visitor, a denial does and a grant doesn't. From a time zone alone, that is so if they name a country of the
 * same kind, guarded or not.
 */
function concerns({ code, guarded }: Place, region: string[] | undefined, value: unknown): boolean {
  if (!region || (code && region.some((listed) => `${code}-`.startsWith(`${listed}-`)))) return true;
  return (
    value === 'denied' &&
    region.some((listed) => (code ? listed.startsWith(`${code}-`) : isGuardedCode(listed) === guarded))
  );
}
