/**
 * Works on several items at once and settles them in their own order.
 *
 * Reading stops at the first failure, or when `halt` aborts; what was started is waited for, and everything before the first
 * unfinished item is settled.
 *
 * @param options at most `concurrency` items are worked on at once, and at most `window` are worked on or wait for an
 *   earlier one; `settle` is called for one item after the other; `onFailure` is called once, when reading is to stop
 * @throws the first failure of `items`, `work` or `settle`; failures that follow an aborted `halt` are not failures
 */
export async function inOrder<T, R>(
  items: AsyncIterable<T>,
  options: {
    concurrency: number;
    window: number;
    halt: AbortSignal;
    work: (item: T) => Promise<R>;
    settle: (item: T, result: R) => Promise<void>;
    onFailure: () => void;
  },
): Promise<void> {
  const { concurrency, window, halt, work, settle, onFailure } = options;
  const waiting: { item: T; result?: { value: R } }[] = [];
  let working = 0;
  let failure: { error: unknown } | undefined;
  let settling = Promise.resolve();
  let settleFailed = false;
  let wake: () => void = () => undefined;

  function fail(error: unknown): void {
    if (!failure && !halt.aborted) {
      failure = { error };
      onFailure();
    }
    wake();
  }

  async function settleFinished(): Promise<void> {
    for (let first = waiting[0]; first?.result && !settleFailed; first = waiting[0]) {
      await settle(first.item, first.result.value);
      waiting.shift();
    }
    wake();
  }

  function start(item: T): void {
    const entry: (typeof waiting)[number] = { item };
    waiting.push(entry);
    working++;
    void work(item)
      .then((value) => {
        entry.result = { value };
        settling = settling.then(settleFinished).catch((error: unknown) => {
          settleFailed = true;
          fail(error);
        });
      }, fail)
      .finally(() => {
        working--;
        wake();
      });
  }

  async function until(ready: () => boolean): Promise<void> {
    while (!ready()) await new Promise<void>((resolve) => (wake = resolve));
  }
  const stopped = () => failure !== undefined || halt.aborted;

  try {
    for await (const item of items) {
      await until(() => stopped() || (working < concurrency && waiting.length < window));
      if (stopped()) break;
      start(item);
    }
  } catch (error) {
    fail(error);
  }
  await until(() => working === 0);
  await settling;
  if (failure) throw failure.error;
}
