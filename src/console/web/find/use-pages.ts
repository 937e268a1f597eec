import { PAGES, pathOf, SETTINGS, settingsPath } from '../app/address.js';
import { SECTIONS } from '../settings/sections.js';
import { NAMES } from '../shared/navigation.js';
import { useMe } from '../shared/signed-in.js';
import { isAtLeast } from '../../../domain/roles.js';
import type { Found } from './found.js';

/** The pages that the reader may open. */
export function usePages(shop: string | undefined, days: string): Found[] {
  const role = useMe()?.role ?? 'viewer';
  const isManager = isAtLeast(role, 'manager');
  const kept = days === '' ? '' : `?${days}`;
  const ofShop =
    shop === undefined
      ? []
      : [
          ...PAGES.map((page) => ({ href: pathOf(shop, page) + kept, label: NAMES[page], about: '' })),
          ...SETTINGS.filter((name) => isAtLeast(role, SECTIONS[name].needs)).map((name) => ({
            href: settingsPath(shop, name),
            label: SECTIONS[name].label,
            about: NAMES.settings,
          })),
        ];
  const query = shop === undefined ? '' : `?shop=${encodeURIComponent(shop)}`;
  return [
    ...ofShop,
    ...(isManager ? [{ href: `/developers${query}`, label: 'Developers', about: '' }] : []),
    { href: '/docs', label: 'Docs', about: '' },
    { href: '/', label: 'All shops', about: '' },
  ];
}
