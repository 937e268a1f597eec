import { uuid } from './hex.js';
import { ID_KEY, keep, recall } from './storage.js';

const IDLE_MS = 18e5;

export interface Visitor {
  anon_id: string;
  session_hint?: string;
}

/**
 * The visitor's identifiers, made if there are none: call it with consent only. `session_hint` is a new one after
 * 30 minutes without an event.
 */
export function currentVisitor(): Visitor {
  // `seen` is when they were last used.
  const stored = recall(ID_KEY) as { ids?: Visitor; seen: number };
  const ids = stored.ids ?? { anon_id: uuid() };
  const now = Date.now();
  if (!(now - stored.seen < IDLE_MS)) ids.session_hint = uuid();
  keep(ID_KEY, { ...stored, ids, seen: now });
  return ids;
}
