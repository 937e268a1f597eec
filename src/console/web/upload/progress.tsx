import { useEffect, useState } from 'preact/hooks';
import type { PushesResponse } from '../../../schemas/pushes.js';
import { failureOf, read, shopApi, type Failure } from '../shared/api.js';
import { Trouble } from '../shared/frame.js';

const POLL_MS = 2_000;

/** How far the days are recalculated that a push changes. */
export function Progress({ shop, receipt }: { shop: string; receipt: string }) {
  /** Null: the push waits. */
  const [left, setLeft] = useState<number | null>(null);
  const [most, setMost] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    const path = shopApi(shop, `/v1/ingest/pushes?receipt=${encodeURIComponent(receipt)}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async (): Promise<void> => {
      let days: number | null = null;
      try {
        days = (await read<PushesResponse>(path)).days_left ?? null;
        setFailure(null);
      } catch (error) {
        setFailure(failureOf(error));
      }
      setLeft(days);
      setMost((before) => Math.max(before, days ?? 0));
      // The next question follows an answer, however long that took.
      if (!isOver && days !== 0) timer = setTimeout(() => void ask(), POLL_MS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [shop, receipt]);
  const done = left === null ? 0 : most - left;
  return (
    <section class="panel" aria-labelledby="progress" aria-live="polite">
      <div class="panel-head">
        <h2 id="progress">{left === 0 ? 'All figures contain it' : 'After saving: recalculating'}</h2>
        <span class="note">{left === 0 ? '' : left === null ? 'waiting' : `${done} of ${most} days`}</span>
      </div>
      <progress class="progress" max={most || 1} value={left === 0 ? most || 1 : done} aria-label="Days recalculated" />
      <p class="note">You can leave this page. The figures change day by day.</p>
      {failure !== null && <Trouble failure={failure} />}
    </section>
  );
}
