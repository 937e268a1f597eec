import { isGuardedCode, type Place } from '../region.js';
import type { Reader } from './reading.js';

/** Whether each kind of storage is granted. */
type Layer = Partial<Record<string, boolean>>;
type Command = [name: unknown, action: unknown, values: Partial<Record<string, unknown>> | undefined];

/**
 * Google consent mode: the `consent` commands in `dataLayer`. `analytics_storage` is analytics; `ad_storage` without a
 * denied `ad_user_data` is marketing. A `default` is a preset, an `update` is the visitor's choice.
 */
export function googleConsent([guarded, code]: Place, dataLayer: string | undefined, changed: () => void): Reader {
  // What is read stays: Google's own scripts drop old entries from a long `dataLayer`.
  const preset: Layer = {};
  const country: Layer = {};
  const part: Layer = {};
  const update: Layer = {};
  let hooked: unknown;

  return () => {
    const commands = (window as unknown as Partial<Record<string, (Command | undefined)[]>>)[dataLayer ?? 'dataLayer'];
    for (const command of commands ?? []) {
      if (command?.[0] !== 'consent') continue;
      const values = command[2];
      const region = values?.region as string[] | undefined;
      for (const key in values) {
        const granted = values[key] === 'granted';
        // Regions that hold the visitor count. Where that is only possible, a denial counts and a grant doesn't: so where
        // they are a part of the visitor's country, and, from a time zone alone, where one is of the same kind, guarded
        // or not.
        const concerned = (listed: string): boolean =>
          code
            ? code.startsWith(`${listed}-`) || (!granted && listed.startsWith(code))
            : !granted && isGuardedCode(listed) === guarded;
        // Of several regions that hold the visitor the smallest counts, in whatever order they were said.
        const held = region?.filter(concerned);
        const scoped = held?.some((listed) => listed[2]) ? part : country;
        const layer = command[1] === 'update' ? update : held ? scoped : preset;
        if (values[key] && (!held || held[0])) layer[key] = granted;
      }
    }
    if (commands && commands !== hooked) {
      hooked = commands;
      const push = commands.push.bind(commands);
      commands.push = (...items) => {
        const length = push(...items);
        changed();
        return length;
      };
    }
    const all = { ...preset, ...country, ...part, ...update };
    const marketing = all.ad_user_data !== false && all.ad_storage;
    return [
      [update.analytics_storage, update.ad_storage && marketing],
      [all.analytics_storage, marketing],
    ];
  };
}
