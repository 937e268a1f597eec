interface Timed {
  at: number;
  /** Decides between two of the same time. */
  order: number;
}

/** Events by time; a binary heap, because a history has thousands of them. */
export interface Heap<Event> {
  push: (event: Event) => void;
  /** The next one. */
  pop: () => Event | undefined;
}

export function createHeap<Event extends Timed>(): Heap<Event> {
  const heap: Event[] = [];
  const before = (a: Event | undefined, b: Event | undefined): boolean => {
    if (a === undefined || b === undefined) return a !== undefined;
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  };
  const swap = (i: number, j: number): void => {
    const [a, b] = [heap[i], heap[j]];
    if (a === undefined || b === undefined) return;
    heap[i] = b;
    heap[j] = a;
  };
  return {
    push(event) {
      let i = heap.push(event) - 1;
      for (let parent = (i - 1) >> 1; i > 0 && before(event, heap[parent]); parent = (i - 1) >> 1) {
        swap(i, parent);
        i = parent;
      }
    },
    pop() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let i = 0, child = 1; child < heap.length; child = 2 * i + 1) {
        if (before(heap[child + 1], heap[child])) child++;
        if (!before(heap[child], heap[i])) break;
        swap(i, child);
        i = child;
      }
      return first;
    },
  };
}
