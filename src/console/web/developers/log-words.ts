import { kindLabel } from '../shared/kinds.js';
import { formatCount } from '../shared/money.js';
import type { LogEntry } from './log-entries.js';

/** What an entry of the log is about: `Orders: 64`, `Orders: FF-2466`. */
export function titleOf(entry: LogEntry): string {
  if ('taken' in entry) return `${kindLabel(entry.taken.kind)}: ${formatCount(entry.taken.accepted)}`;
  return `${kindLabel(entry.refused.kind)}: ${entry.refused.id ?? 'without an id'}`;
}
