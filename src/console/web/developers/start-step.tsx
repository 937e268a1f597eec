import type { ComponentChildren } from 'preact';
import { StepMark } from '../shared/step-mark.js';

/** A step of the quick start, ticked once it is done. */
export function StartStep(props: {
  number: number;
  state: 'done' | 'now' | 'open';
  title: string;
  /** The way to do it. */
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { number, state, title, action, children } = props;
  return (
    <li data-step={number} data-state={state}>
      <StepMark number={number} state={state} />
      <div class="start-step">
        <b>{title}</b>
        {children}
      </div>
      {action}
    </li>
  );
}
