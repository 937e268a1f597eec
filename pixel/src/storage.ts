/** Key of the visitor's identifiers. */
export const ID_KEY = 'profit_id';
/** Key of a remembered consent choice. */
export const CONSENT_KEY = 'profit_consent';
/** How long either is kept: thirteen months, never prolonged by further visits. */
const KEEP_MS = 395 * 864e5;

/** `localStorage`, or the memory of this page where the browser refuses it. No call throws. */
export interface Store {
  /** The value, or undefined where there is none, it is not ours, or its `at` (epoch milliseconds) is too long ago. */
  get(key: string): Record<string, unknown> | undefined;
  set(key: string, value: Record<string, unknown> & { at: number }): void;
  remove(key: string): void;
}

export function createStore(): Store {
  const memory: Partial<Record<string, string>> = {};
  return {
    get(key) {
      try {
        const value = JSON.parse(memory[key] ?? localStorage.getItem(key) ?? '') as { at: number };
        return Date.now() - value.at < KEEP_MS ? { ...value } : undefined;
      } catch {
        return undefined;
      }
    },
    set(key, value) {
      memory[key] = JSON.stringify(value);
      try {
        localStorage.setItem(key, memory[key]);
        memory[key] = undefined;
      } catch {
        // The memory keeps it for this page.
      }
    },
    remove(key) {
      memory[key] = undefined;
      try {
        localStorage.removeItem(key);
      } catch {
        // Nothing was stored there.
      }
    },
  };
}
