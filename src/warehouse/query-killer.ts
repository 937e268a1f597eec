/** Stops queries whose callers no longer wait. */
export interface QueryKiller {
  kill(queryId: string): void;
  /** The query has ended. */
  forget(queryId: string): void;
}

/** One statement at a time stops all queries that are due, so that statements do not pile up on a frozen server. */
export function createQueryKiller(command: (sql: string) => Promise<void>): QueryKiller {
  let next = new Set<string>();
  let isAsked = false;

  const askAll = async (): Promise<void> => {
    isAsked = true;
    while (next.size > 0) {
      const ids = [...next].map((id) => `'${id}'`).join(',');
      next = new Set();
      // A query that can't be stopped ends by itself.
      await command(`KILL QUERY WHERE query_id IN (${ids}) ASYNC`).catch(() => undefined);
    }
    isAsked = false;
  };

  return {
    kill(queryId) {
      next.add(queryId);
      if (!isAsked) void askAll();
    },
    forget: (queryId) => void next.delete(queryId),
  };
}
