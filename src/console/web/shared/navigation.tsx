import type { ComponentChildren } from 'preact';
import { PAGES, pathOf, settingsPath, type PageName } from '../app/address.js';
import { ChangeCount } from './change-count.js';
import { useMay, useMe } from './signed-in.js';
import { Icon, type IconName } from './icon.js';

export type Current = PageName | 'settings' | 'developers' | 'shops';

export const NAMES: Readonly<Record<PageName | 'settings', string>> = {
  overview: 'Overview',
  orders: 'Orders',
  products: 'Products',
  customers: 'Customers',
  channels: 'Channels',
  changes: 'What changed',
  connections: 'Connections',
  settings: 'Settings',
};

interface Props {
  shop: string | undefined;
  current?: Current | undefined;
  /** The days that are kept from page to page: a query without its question mark. */
  days?: string;
}

function Item(props: { href: string; icon: IconName; label: string; isCurrent: boolean; count?: ComponentChildren }) {
  return (
    <a class="nav-item" href={props.href} aria-current={props.isCurrent ? 'page' : undefined}>
      <Icon name={props.icon} />
      <span>{props.label}</span>
      {props.count}
    </a>
  );
}

/** The pages of a shop, or where there is none the way to all. */
export function ShopPages({ shop, current, days = '', only = PAGES }: Props & { only?: readonly PageName[] }) {
  if (shop === undefined) return <Item href="/" icon="overview" label="All shops" isCurrent={current === 'shops'} />;
  const query = days === '' ? '' : `?${days}`;
  return (
    <>
      {only.map((page) => (
        <Item
          key={page}
          href={pathOf(shop, page) + query}
          icon={page}
          label={NAMES[page]}
          isCurrent={current === page}
          count={page === 'changes' && <ChangeCount />}
        />
      ))}
    </>
  );
}

/** What is set up once, and the documentation. */
export function OtherPages({ shop, current }: Props) {
  const isManager = useMay('manager');
  const isKnown = useMe() !== null;
  const query = shop === undefined ? '' : `?shop=${encodeURIComponent(shop)}`;
  return (
    <>
      {shop !== undefined && (
        <Item
          href={settingsPath(shop, isManager || !isKnown ? 'shop' : 'people')}
          icon="settings"
          label={NAMES.settings}
          isCurrent={current === 'settings'}
        />
      )}
      <Item href="/docs" icon="docs" label="Docs" isCurrent={false} />
      {/* Last, since it comes once the role is known: it moves nothing. */}
      {isManager && (
        <Item href={`/developers${query}`} icon="developers" label="Developers" isCurrent={current === 'developers'} />
      )}
    </>
  );
}
