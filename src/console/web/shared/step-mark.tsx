import { Icon } from './icon.js';

/** Where a step of a list is: ticked once it is done, else its number. */
export function StepMark({ number, state }: { number: number; state: 'done' | 'now' | 'open' }) {
  return (
    <span class={`tick ${state}`}>
      {state === 'done' ? <Icon name="good" /> : number}
      {state === 'done' && <span class="unseen">done</span>}
    </span>
  );
}
