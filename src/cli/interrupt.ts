/**
 * A signal that the first SIGINT or SIGTERM aborts, for a command that then ends in order; the second ends it at once. Commands
 * that never call this end at the first.
 */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  return interrupted.signal;
}
