import { cookie } from './page.js';

/** Key of the visitor's identifiers. */
export const ID_KEY = 'profit_id';
/** Key of a remembered consent choice. */
export const CONSENT_KEY = 'profit_consent';
/** Key of what the collector could not take yet. */
export const QUEUE_KEY = 'profit_queue';
/** How long they are kept: thirteen months, never prolonged by further visits. */
const KEEP_MS = 395 * 864e5;

/** A value as it is kept; `at` is when it was made, in epoch milliseconds. */
type Kept = Partial<Record<string, unknown>>;

let domain: string | undefined;

/** Keeps the identifiers in a cookie of this domain too, which all hosts of it read. */
export function shareAcross(cookieDomain: string | undefined): void {
  domain = cookieDomain;
}

/** What `localStorage` refused, and the visitor that another host passed (`decorate.js`), for as long as the page lasts. */
export const memory = (globalThis as { profitMemory?: Partial<Record<string, string>> }).profitMemory ?? {};

/** What was kept; empty where there is nothing, it is not ours, or it was made too long ago. */
export function recall(key: string): Kept {
  try {
    const value = JSON.parse(memory[key] ?? (atob(cookie(key) ?? '') || (localStorage[key] as string))) as Kept & {
      at: number;
    };
    if (Date.now() - value.at < KEEP_MS) return value;
  } catch {
    // Nothing there that could be read.
  }
  return {};
}

/** Keeps a value in `localStorage`, or in the memory of this page where the browser refuses it; without a value, removes it. */
export function keep(key: string, value?: Kept): void {
  memory[key] = value && JSON.stringify({ at: Date.now(), ...value });
  try {
    if (domain && key === ID_KEY)
      document.cookie = `${key}=${btoa(memory[key] ?? '')};domain=${domain};path=/;max-age=${value ? KEEP_MS / 1e3 : 0}`;
    if (memory[key]) localStorage.setItem(key, memory[key]);
    else localStorage.removeItem(key);
    memory[key] = undefined;
  } catch {
    // The memory keeps it for this page.
  }
}
