import { useEffect, useState } from 'preact/hooks';
import { failureOf, read, type Failure } from './api.js';

const POLL_MS = 2_000;

/** Reads a path again and again while the page is seen, until an answer is the last one; null reads nothing. */
export function usePolled<T>(
  path: string | null,
  isLast: (answer: T) => boolean,
): { data: T | null; failure: Failure | null } {
  const [state, setState] = useState<{ data: T | null; failure: Failure | null }>({ data: null, failure: null });
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'visible') {
        try {
          const data = await read<T>(path, abort.signal);
          setState({ data, failure: null });
          if (isLast(data)) return;
        } catch (error) {
          if (abort.signal.aborted) return;
          setState(({ data }) => ({ data, failure: failureOf(error) }));
        }
      }
      // The next question follows an answer, however long that took.
      if (!abort.signal.aborted) timer = setTimeout(() => void ask(), POLL_MS);
    };
    void ask();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [path]);
  return state;
}
