/** Servers that answer alike: coordinators of one cluster, or the one server that there is. */
export interface Servers<Server> {
  /**
   * Runs the work on the server that answered last. Where that one gives no answer, the next is asked within the same time, and
   * so it is where it works for long and does not answer a ping either; an answer of a server stands, a refusal too. So the work
   * has to be such that it may run twice.
   */
  run<T>(work: (server: Server, leftMs: number) => Promise<T>, ms: number): Promise<T>;
  all: readonly Server[];
}

export interface ServersOptions<Server> {
  /** Tells an error that a server answered with from one that says that none did. */
  isAnswered: (error: unknown) => boolean;
  /** Whether a server answers a ping at once. */
  isAlive: (server: Server) => Promise<boolean>;
  /** How long work goes on before it is asked, and between two looks. */
  lookMs?: number;
}

/** So that the next one still answers in time, with a replica of its own that is silent. */
const LOOK_MS = 1_000;

export function createServers<Server>(all: readonly Server[], options: ServersOptions<Server>): Servers<Server> {
  const { isAnswered, isAlive, lookMs = LOOK_MS } = options;
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

/** The same answer; rejects when nobody is there any more who could give it. */
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
