import { kindLabel } from '../shared/kinds.js';
import type { LogEntry } from './log-entries.js';

/** What an entry of the log is about: `Orders` that were taken, `Orders: FF-2466` that was refused. */
export function titleOf(entry: LogEntry): string {
  if ('taken' in entry) return kindLabel(entry.taken.kind);
  return `${kindLabel(entry.refused.kind)}: ${entry.refused.id ?? 'without an id'}`;
}
