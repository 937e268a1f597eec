/** Servers that answer alike: coordinators of one cluster, or the one server that there is. */
export interface Servers<Server> {
  /**
   * Runs the work on the server that answered last. Where that one gives no answer, the next is asked within the same time;
   * an answer of a server stands, a refusal too. So the work has to be such that it may run twice.
   */
  run<T>(work: (server: Server, leftMs: number) => Promise<T>, ms: number): Promise<T>;
  all: readonly Server[];
}

/** `isAnswered` tells an error that a server answered with from one that says that none did. */
export function createServers<Server>(
  all: readonly Server[],
  isAnswered: (error: unknown) => boolean,
): Servers<Server> {
  let current = 0;
  return {
    all,
    async run(work, ms) {
      const until = performance.now() + ms;
      for (let tries = 1; ; tries++) {
        const index = current;
        const server = all[index];
        if (server === undefined) throw new RangeError('there is no server');
        try {
          return await work(server, tries === 1 ? ms : until - performance.now());
        } catch (error) {
          if (isAnswered(error)) throw error;
          // Of many that fail at once, the first turns to the next server.
          if (current === index) current = (index + 1) % all.length;
          if (tries === all.length || performance.now() >= until) throw error;
        }
      }
    },
  };
}
