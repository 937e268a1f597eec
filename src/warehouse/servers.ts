/** Servers that give the same answers: those of one cluster, or a single one. */
export interface Servers<Server> {
  /**
   * Runs the work on the server that answered last. If it gives no answer, or takes long and does not answer a ping either, the
   * next server gets the work within the same time. Whatever a server answers is final, also a refusal. So the work must be safe
   * to run twice.
   */
  run<T>(work: (server: Server, leftMs: number) => Promise<T>, ms: number): Promise<T>;
  all: readonly Server[];
}

export interface ServersOptions<Server> {
  /** Tells an error that a server answered with from one that says that none did. */
  isAnswered: (error: unknown) => boolean;
  /** Whether a server answers a ping at once. */
  isAlive: (server: Server) => Promise<boolean>;
  /** Time before the first ping of a server that works, and between two pings. */
  lookMs?: number;
}

/** Short enough that the next server still answers in time, even if one of its replicas is silent. */
const LOOK_MS = 1_000;

export function createServers<Server>(all: readonly Server[], options: ServersOptions<Server>): Servers<Server> {
  const { isAnswered, isAlive, lookMs = LOOK_MS } = options;
  let current = 0;
  return {
    all,
    async run(work, ms) {
      const until = performance.now() + ms;
      const first = current;
      for (let tries = 1; ; tries++) {
        // Not the current one, which other work may have set: no server gets the same work twice.
        const index = (first + tries - 1) % all.length;
        const server = all[index];
        if (server === undefined) throw new RangeError('there is no server');
        try {
          const answer = work(server, tries === 1 ? ms : until - performance.now());
          return await (tries === all.length ? answer : unlessSilent(answer, () => isAlive(server), lookMs));
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

/** The same answer; rejects when the server no longer answers pings. */
function unlessSilent<T>(answer: Promise<T>, isAlive: () => Promise<boolean>, lookMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      if (!(await isAlive())) reject(new Error('the server does not answer, nor does it answer a ping'));
      else if (!isOver) lookLater();
    };
    const lookLater = (): void => {
      timer = setTimeout(() => void look(), lookMs);
    };
    lookLater();
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    answer.finally(end).then(resolve, reject);
  });
}
