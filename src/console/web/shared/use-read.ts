import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { failureOf, read, type Failure } from './api.js';

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
  const latest = useRef<{ path: string; data: T; readAt: number } | null>(null);

  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    read<T>(path, abort.signal).then(
      (answer) => {
        // The same answer stays the same object, so that nothing is drawn again for it.
        const known = latest.current?.data;
        const data = known !== undefined && JSON.stringify(answer) === JSON.stringify(known) ? known : answer;
        latest.current = { path, data, readAt: Date.now() };
        setState({ path, data, failure: null, readAt: null });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const failure = failureOf(error);
        // What was read of another path, such as other days, must not stand where these could not be read.
        const last = latest.current?.path === path && failure.status !== 404 ? latest.current : null;
        setState({ path, data: last?.data ?? null, failure, readAt: last?.readAt ?? null });
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
