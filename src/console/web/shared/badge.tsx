import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

export type Tone = 'good' | 'warn' | 'bad' | 'calm';
const ICONS: Partial<Record<Tone, IconName>> = { good: 'good', warn: 'warn', bad: 'bad' };

/** A short word with an icon, so that its colour says nothing alone. */
export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ComponentChildren }) {
  const shown = icon ?? ICONS[tone];
  return (
    <span class={`badge ${tone}`}>
      {shown !== undefined && <Icon name={shown} />}
      {children}
    </span>
  );
}
