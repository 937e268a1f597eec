import { guard } from './guard.js';
import { ID_KEY, memory, recall } from './storage.js';
import type { Visitor } from './visitor.js';

/** The parameter that names the visitor. The service takes it out of addresses, as it does every session id. */
const PARAMETER = 'profit_session=';
const VALUE = /^(\d{13})\.(\d{13})\.([\da-f-]{36})\.([\da-f-]{36})$/;
const VALID_MS = 120_000;

const isParameter = (pair: string): boolean => pair.startsWith(PARAMETER);
const pairsOf = ({ search }: URL | Location): string[] => search.slice(1).split('&');

/** The address without the parameter; the spelling of the others stays. */
function plain(address: string): URL {
  const url = new URL(address, document.baseURI);
  url.search = pairsOf(url)
    .filter((pair) => !isParameter(pair))
    .join('&');
  return url;
}

/**
 * The entry of the script for a shop with hosts of several domains: takes the visitor from one to the other by a parameter, which
 * is in a link only while it is followed and in an address only until this script runs. Who gets the address by another way comes
 * from no page of the shop, and is not taken for the same person.
 */
guard(() => {
  const hosts = document.currentScript?.dataset.hosts?.toLowerCase().match(/[^\s,]+/g) ?? [];
  const isOther = ({ hostname }: URL): boolean =>
    hostname !== location.hostname && hosts.some((host) => `.${hostname}`.endsWith(`.${host}`));

  const found = pairsOf(location).find(isParameter);
  if (found) {
    history.replaceState(history.state, '', plain(location.href));
    const [, at, seen, anon_id, session_hint] = VALUE.exec(found.slice(PARAMETER.length)) ?? [];
    const age = Date.now() - Number(seen);
    if (age >= 0 && age < VALID_MS && isOther(new URL(document.referrer)) && !recall(ID_KEY).ids)
      memory[ID_KEY] = JSON.stringify({ at: Number(at), ids: { anon_id, session_hint }, seen: Number(seen) });
  }

  const decorate = (address: string): string => {
    try {
      const url = plain(address);
      const { at, ids, seen } = recall(ID_KEY) as { at: number; ids?: Visitor; seen: number };
      // What was used since this page began was used with consent, and not withdrawn since.
      if (ids?.session_hint && seen >= performance.timeOrigin && isOther(url)) {
        url.search += `${url.search && '&'}${PARAMETER}${[at, Date.now(), ids.anon_id, ids.session_hint].join('.')}`;
        return url.href;
      }
    } catch {
      // No address.
    }
    return address;
  };
  /** Decorates an address while the browser reads it, so that it can't be copied out of the page. */
  const lend = (element: Element, name: string): void => {
    const given = element.getAttribute(name);
    const decorated = given && decorate(given);
    if (!decorated || decorated === given) return;
    element.setAttribute(name, decorated);
    setTimeout(() => {
      if (element.getAttribute(name) === decorated) element.setAttribute(name, given);
    });
  };
  const follow = guard((event: MouseEvent) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    // The right button opens a menu, which copies.
    if (link && event.button < 2) lend(link, 'href');
  });
  addEventListener('click', follow, true);
  addEventListener('auxclick', follow, true);
  addEventListener(
    'submit',
    guard(({ target }: Event) => lend(target as HTMLFormElement, 'action')),
    true,
  );
  Object.assign(window, { profitDecorate: decorate, profitMemory: memory });
})();
