import type { ComponentChildren } from 'preact';
import { Loading, Panel, FailureNotice } from '../shared/frame.js';
import type { Shared } from './use-shared.js';

/** A part of a shared view: it loads, fails or shows its data by itself. */
export function SharedPanel<T>(props: { title: string; of: Shared<T>; children: (data: T) => ComponentChildren }) {
  const { data, failure } = props.of;
  return (
    <Panel title={props.title}>
      {failure !== null && <FailureNotice failure={failure} />}
      {data === null && failure === null && <Loading what={props.title} />}
      {data !== null && props.children(data)}
    </Panel>
  );
}
