import type { ComponentChildren } from 'preact';
import type { Tone } from '../shared/badge.js';
import { Icon, type IconName } from '../shared/icon.js';

const ICONS: Readonly<Record<Tone, IconName>> = { good: 'good', warn: 'warn', bad: 'bad', calm: 'about' };

/** One thing that is complete or not. */
export function Cell({ tone, title, children }: { tone: Tone; title: string; children: ComponentChildren }) {
  return (
    <li class={tone}>
      <Icon name={ICONS[tone]} />
      <div>
        <b>{title}</b>
        <span class="small soft">{children}</span>
      </div>
    </li>
  );
}
