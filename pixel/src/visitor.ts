import { uuid } from './hex.js';
import { ID_KEY, type Store } from './storage.js';

const IDLE_MS = 18e5;

interface Visitor {
  anon_id: string;
  session_hint: string;
}

/**
 * The visitor's identifiers, made if there are none: call it with consent only. `session_hint` is a new one after
 * 30 minutes without an event.
 */
export function currentVisitor(store: Store): Visitor {
  const now = Date.now();
  // Stored are the two, `at`, when the visitor's was made, and `seen`, when it was last used.
  const value = store.get(ID_KEY) as (Visitor & { at: number; seen: number }) | undefined;
  const stored = typeof value?.anon_id === 'string' ? value : undefined;
  const { anon_id, at } = stored ?? { anon_id: uuid(), at: now };
  const session_hint = stored && now - stored.seen < IDLE_MS ? stored.session_hint : uuid();
  store.set(ID_KEY, { anon_id, session_hint, at, seen: now });
  return { anon_id, session_hint };
}
