import type { ComponentChildren } from 'preact';
import { StepMark } from '../shared/step-mark.js';

interface Props {
  number: number;
  title: string;
  state: 'done' | 'now' | 'open';
  action: string;
  href: string;
  children: ComponentChildren;
}

/** Something to set up, ticked once it is there. */
export function Step({ number, title, state, action, href, children }: Props) {
  return (
    <li data-step={number} data-state={state}>
      <StepMark number={number} state={state} />
      <div>
        <b>{title}</b>
        <span class="sub">{children}</span>
      </div>
      <a class={state === 'now' ? 'button primary' : 'button'} href={href}>
        {action}
      </a>
    </li>
  );
}
