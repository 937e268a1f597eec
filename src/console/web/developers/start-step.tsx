import type { ComponentChildren } from 'preact';
import { Icon } from '../shared/icon.js';

/** A step of the quick start, ticked once it is done. */
export function StartStep(props: {
  number: number;
  state: 'done' | 'now' | 'open';
  title: string;
  children: ComponentChildren;
}) {
  const { number, state, title, children } = props;
  return (
    <li data-step={number} data-state={state}>
      <span class={`tick ${state}`}>
        {state === 'done' ? <Icon name="good" /> : number}
        {state === 'done' && <span class="unseen">done</span>}
      </span>
      <div class="start-step">
        <b>{title}</b>
        {children}
      </div>
    </li>
  );
}
