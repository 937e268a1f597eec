import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from './api.js';
import { Loading, FailureNotice } from './frame.js';

/** A service that was replaced meanwhile has other scripts. */
const GONE = new Failure(0, [{ code: 'offline', message: 'This part of the app can’t be loaded.' }]);

/** A component whose script is loaded when it is shown first. */
export function onDemand<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | undefined;
  return function OnDemand(props: P) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (component) => {
          loaded = component;
          setState('loaded');
        },
        () => setState('failed'),
      );
    }, []);
    const Shown = loaded;
    if (Shown !== undefined) return <Shown {...props} />;
    return state === 'failed' ? (
      <FailureNotice failure={GONE} retry={() => location.reload()} />
    ) : (
      <Loading what="the page" />
    );
  };
}
