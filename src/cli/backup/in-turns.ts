/** Does the same with each, a few at once; results stand in the order of what they are of. After a failure nothing new begins. */
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
