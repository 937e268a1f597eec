import { useEffect, useState } from 'preact/hooks';
import { failureOf, request, type Failure } from '../shared/request.js';

export interface Shared<T> {
  data: T | null;
  failure: Failure | null;
}

/** Reads what the link of the address lets through. Its token goes in a header, and into no address but that of the page. */
export function useShared<T>(path: string): Shared<T> {
  const [state, setState] = useState<Shared<T>>({ data: null, failure: null });
  useEffect(() => {
    const abort = new AbortController();
    const headers = { 'X-Share-Token': location.hash.slice(1) };
    request(path, { headers, signal: abort.signal }).then(
      (answer) => setState({ data: answer as T, failure: null }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ data: null, failure: failureOf(error) });
      },
    );
    return () => abort.abort();
  }, [path]);
  return state;
}
