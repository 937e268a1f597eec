/** Runs the work for each entry, `atOnce` at a time. Results are in the order of the list. After a failure no further work begins; it throws the first. */
export async function inTurns<T, R>(list: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(list.length);
  let waiting = [...list.entries()].reverse();
  const go = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) results[next[0]] = await work(next[1]);
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, () => go().finally(() => (waiting = []))));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
