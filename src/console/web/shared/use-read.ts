import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { failureOf, read, type Failure } from './api.js';
import { keep, lastAnswer } from './answer-cache.js';

/** Whenever this number changes, everything below is read again; what is shown stays until the answers are there. */
export const Refreshed = createContext(0);

const REFRESH_MS = 15_000;

/** A number for {@link Refreshed} that changes by itself while somebody looks, and by the function. */
export function useRefresh(): [number, () => void] {
  const [count, setCount] = useState(0);
  const refresh = useCallback(() => setCount((before) => before + 1), []);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') refresh();
    };
    const timer = setInterval(look, REFRESH_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return [count, refresh];
}

/** What a panel knows of its data. The data of the request before stays while the next one runs. */
export interface Loaded<T> {
  data: T | null;
  failure: Failure | null;
  /** When the data was read that stayed after a failure. */
  readAt: number | null;
  loading: boolean;
  reload: () => void;
}

/** Whether what is shown is not what holds now: other data are awaited, or could not be read. */
export const isOld = ({ data, failure, loading }: Loaded<unknown>): boolean =>
  data !== null && (loading || failure !== null);

/** Reads a path whenever it changes; null reads nothing. */
export function useRead<T>(path: string | null): Loaded<T> {
  const [state, setState] = useState<{
    path: string | null;
    data: T | null;
    failure: Failure | null;
    readAt: number | null;
  }>({
    path: null,
    data: null,
    failure: null,
    readAt: null,
  });
  const refreshed = useContext(Refreshed);
  const [round, setRound] = useState(0);
  const latest = useRef<{ path: string; text: string; data: T; readAt: number } | null>(null);

  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    read<T>(path, abort.signal).then(
      (answer) => {
        // The same answer stays the same object, so that nothing is drawn again for it.
        const text = JSON.stringify(answer);
        const data = latest.current?.text === text ? latest.current.data : answer;
        latest.current = { path, text, data, readAt: Date.now() };
        keep(path, text);
        setState({ path, data, failure: null, readAt: null });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const failure = failureOf(error);
        const { status } = failure;
        const isRefused = status >= 400 && status < 500 && status !== 429;
        // What was read of another path, such as other days, must not stand where these could not be read.
        if (isRefused || latest.current?.path !== path) latest.current = null;
        setState({ path, data: latest.current?.data ?? null, failure, readAt: latest.current?.readAt ?? null });
        if (latest.current !== null) return;
        void lastAnswer(path, failure).then((kept) => {
          if (kept === null || abort.signal.aborted) return;
          const data = JSON.parse(kept.text) as T;
          latest.current = { path, ...kept, data };
          setState({ path, data, failure, readAt: kept.readAt });
        });
      },
    );
    return () => abort.abort();
  }, [path, round, refreshed]);

  const reload = useCallback(() => setRound((count) => count + 1), []);
  return {
    data: state.data,
    failure: state.failure,
    readAt: state.readAt,
    loading: path !== null && state.path !== path,
    reload,
  };
}
