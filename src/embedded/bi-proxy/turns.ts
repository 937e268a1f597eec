/** Whose turn it is: of each user some queries run and some wait for a while. */
export interface Turns {
  /** A place for a request of the user, from its sign-in on; undefined where all are taken. */
  admit(user: string): Place | undefined;
}

export interface Place {
  /** Resolves to whether the query may run: false when it had to wait too long, or when `gone` was aborted. */
  turn(gone: AbortSignal): Promise<boolean>;
  /** Leaves the place; the next query of the user begins. */
  leave(): void;
}

interface QueriesOfUser {
  places: number;
  running: number;
  /** In the order of their arrival; each call begins one. */
  waiting: Set<() => void>;
}

export function createTurns(most: { running: number; waiting: number; waitMs: number }): Turns {
  const users = new Map<string, QueriesOfUser>();
  return {
    admit(user) {
      const own: QueriesOfUser = users.get(user) ?? { places: 0, running: 0, waiting: new Set() };
      if (own.places >= most.running + most.waiting) return undefined;
      users.set(user, own);
      own.places++;
      let runs = false;
      const begin = (): void => {
        runs = true;
        own.running++;
      };
      return {
        turn(gone) {
          if (gone.aborted) return Promise.resolve(false);
          if (own.running < most.running && own.waiting.size === 0) begin();
          if (runs) return Promise.resolve(true);
          return new Promise((resolve) => {
            const end = (mayRun: boolean): void => {
              clearTimeout(timer);
              gone.removeEventListener('abort', giveUp);
              own.waiting.delete(next);
              resolve(mayRun);
            };
            const next = (): void => {
              begin();
              end(true);
            };
            const giveUp = (): void => end(false);
            const timer = setTimeout(giveUp, most.waitMs);
            gone.addEventListener('abort', giveUp);
            own.waiting.add(next);
          });
        },
        leave() {
          if (--own.places === 0) users.delete(user);
          if (!runs) return;
          own.running--;
          const [next] = own.waiting;
          next?.();
        },
      };
    },
  };
}
