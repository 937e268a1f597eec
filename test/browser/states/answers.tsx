import { Failure } from '../../../src/console/web/shared/api.js';
import { FormEnd } from '../../../src/console/web/shared/form-end.js';
import { Answer, Panel } from '../../../src/console/web/shared/frame.js';
import { NeedsRole } from '../../../src/console/web/shared/needs-role.js';
import { onDemand } from '../../../src/console/web/shared/on-demand.js';
import { StaleNotice } from '../../../src/console/web/shared/stale-notice.js';
import type { Loaded } from '../../../src/console/web/shared/use-read.js';
import { Component, State } from './state.js';

const FAILURE = new Failure(503, [{ code: 'store_unavailable', message: 'The warehouse is away.' }]);
const ANSWERS: Readonly<Record<string, Pick<Loaded<string>, 'data' | 'failure' | 'readAt'>>> = {
  loading: { data: null, failure: null, readAt: null },
  answered: { data: 'The answer.', failure: null, readAt: null },
  failed: { data: null, failure: FAILURE, readAt: null },
  old: { data: 'The answer of before.', failure: FAILURE, readAt: Date.UTC(2026, 0, 5, 15, 41) },
};
const Loads = onDemand(() => new Promise<() => null>(() => undefined));
const Fails = onDemand<object>(() => Promise.reject(new Error('away')));
const Loaded = onDemand(() => Promise.resolve(() => <p>The part.</p>));

/** What waits for something, or does not get it. */
export function Answers() {
  return (
    <>
      <Component of="frame">
        {Object.entries(ANSWERS).map(([name, answer]) => (
          <State key={name} name={name}>
            <Answer of={{ ...answer, loading: false, reload: () => undefined }} what="figures">
              {(text) => <p>{text}</p>}
            </Answer>
          </State>
        ))}
        <State name="panel">
          <Panel title="A panel" note="With a note.">
            <p>Its content.</p>
          </Panel>
        </State>
      </Component>
      <Component of="form-end">
        {[null, FAILURE].map((failure) => (
          <State key={failure?.status} name={failure === null ? 'disabled' : 'failed'}>
            <FormEnd action="Save" isDisabled={failure === null} failure={failure} onCancel={() => undefined} />
          </State>
        ))}
      </Component>
      <Component of="stale-notice">
        <State name="store away">
          <StaleNotice failure={FAILURE} what="orders" readAt={Date.UTC(2026, 0, 5, 15, 41)} retry={() => undefined} />
        </State>
      </Component>
      <Component of="on-demand">
        <State name="loading">
          <Loads />
        </State>
        <State name="failed">
          <Fails />
        </State>
        <State name="loaded">
          <Loaded />
        </State>
      </Component>
      <Component of="needs-role">
        <State name="allowed">
          <NeedsRole role="viewer">
            <p>The page.</p>
          </NeedsRole>
        </State>
        <State name="not allowed">
          <NeedsRole role="owner">
            <p>Not this page.</p>
          </NeedsRole>
        </State>
      </Component>
    </>
  );
}
