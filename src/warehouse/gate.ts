/** How many requests a store gets at once, and how many may wait for their turn. */
export interface GateOptions {
  slots: number;
  mostWaiting: number;
}

export interface Wait {
  /** Longest wait of the caller, for its turn and for the answer together. */
  ms: number;
  /** Called when the caller gets an error while its work is under way. */
  onLate: () => void;
}

/**
 * Bounds the wait for a store. Work that has begun is never broken off: it keeps its slot until it ends, even after its caller
 * got an error. So a frozen store holds no more calls than there are slots and places to wait, and while all slots are late, new
 * calls are refused at once.
 */
export interface Gate {
  /** `isLate` tells the work whether its caller got an error already, so that no one needs the answer. */
  run<T>(work: (isLate: () => boolean) => Promise<T>, wait: Wait): Promise<T>;
}

export function createGate({ slots, mostWaiting }: GateOptions): Gate {
  const waiting = new Set<() => void>();
  let running = 0;
  let late = 0;

  const beginNext = (): void => {
    for (const begin of waiting) {
      if (running >= slots) return;
      waiting.delete(begin);
      begin();
    }
  };

  return {
    run: (work, { ms, onLate }) =>
      new Promise((resolve, reject) => {
        if (late >= slots) throw new Error('it has answered nothing for some time');
        if (running >= slots && waiting.size >= mostWaiting) throw new Error(`${waiting.size} requests wait for it`);
        let isLate = false;
        const begin = (): void => {
          running++;
          const end = (): void => {
            clearTimeout(timer);
            running--;
            if (isLate) late--;
            beginNext();
          };
          work(() => isLate)
            .then(resolve, reject)
            .finally(end);
        };
        const timer = setTimeout(() => {
          reject(new Error(`no answer within ${ms} ms`));
          if (waiting.delete(begin)) return;
          isLate = true;
          late++;
          onLate();
        }, ms);
        if (running < slots) begin();
        else waiting.add(begin);
      }),
  };
}
