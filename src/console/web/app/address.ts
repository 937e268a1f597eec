/** What the app shows is in its address alone: the page in the path, all else in the query. */

export const PAGES = ['overview', 'orders', 'products', 'customers', 'channels', 'changes', 'connections'] as const;
export type PageName = (typeof PAGES)[number];

/** The pages under Settings, in their order. */
export const SETTINGS = ['shop', 'costs', 'expenses', 'fees', 'pixel', 'alerts', 'bi', 'people'] as const;
export type SettingsName = (typeof SETTINGS)[number];

/** What can be uploaded as a file. */
export const UPLOAD_NAMES = ['costs', 'orders', 'spend', 'expenses'] as const;
export type UploadName = (typeof UPLOAD_NAMES)[number];

export type Place =
  | { page: 'shops' }
  | { page: PageName; shop: string }
  | { page: 'order'; shop: string; order: string }
  | { page: 'settings'; shop: string; section: SettingsName }
  | { page: 'upload'; shop: string; kind: UploadName }
  | { page: 'unknown'; shop?: string };

export interface Address {
  place: Place;
  path: string;
  query: URLSearchParams;
}

/** Parameters that all pages of a shop have. */
const COMMON = ['range', 'from', 'to', 'vs'];

export function parsePath(path: string): Place {
  const [, first, shopPart = '', page = 'overview', item, ...rest] = path.split('/').map(decoded);
  if (path === '/') return { page: 'shops' };
  if (first !== 'shop' || shopPart === '' || rest.length > 0) return { page: 'unknown' };
  const shop = shopPart;
  if (page === 'orders' && item !== undefined && item !== '') return { page: 'order', shop, order: item };
  if (page === 'products' && item === 'upload') return { page: 'upload', shop, kind: 'costs' };
  const kind = page === 'upload' ? UPLOAD_NAMES.find((name) => name === item && name !== 'costs') : undefined;
  if (kind !== undefined) return { page: 'upload', shop, kind };
  const section = page === 'settings' ? SETTINGS.find((name) => name === (item ?? 'shop')) : undefined;
  if (section !== undefined) return { page: 'settings', shop, section };
  const known = PAGES.find((name) => name === page);
  return known === undefined || item !== undefined ? { page: 'unknown', shop } : { page: known, shop };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function pathOf(shop: string, page: PageName, item?: string): string {
  const parts = [shop, ...(page === 'overview' ? [] : [page]), ...(item === undefined ? [] : [item])];
  return `/shop/${parts.map(encodeURIComponent).join('/')}`;
}

export const settingsPath = (shop: string, section: SettingsName): string =>
  `/shop/${encodeURIComponent(shop)}/settings/${section}`;

export const uploadPath = (shop: string, kind: UploadName): string =>
  kind === 'costs' ? `${pathOf(shop, 'products')}/upload` : `/shop/${encodeURIComponent(shop)}/upload/${kind}`;

type Params = Readonly<Record<string, string | null>>;

const joined = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query.toString()}`;

function withParams(query: URLSearchParams, params: Params): URLSearchParams {
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  return query;
}

/** Another page, over the same days. */
export function linkTo({ query }: Address, path: string, params: Params = {}): string {
  const kept = [...query].filter(([name]) => COMMON.includes(name));
  return joined(path, withParams(new URLSearchParams(kept), params));
}

/** This page with other parameters; null takes one away. A page of a list holds for one question alone. */
export function linkHere({ path, query }: Address, params: Params): string {
  return joined(path, withParams(new URLSearchParams(query), { cursor: null, page: null, ...params }));
}
