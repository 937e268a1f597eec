import { Badge } from '../shared/badge.js';
import type { Verdict } from './verdict.js';

/** Whether all that figures are made of is known, known by estimates, or not. */
export function VerdictBadge({ verdict: { word, estimates } }: { verdict: Verdict }) {
  if (word !== '') return <Badge tone="warn">Not complete</Badge>;
  return estimates.length > 0 ? (
    <Badge tone="calm" icon="about">
      Payment fees estimated
    </Badge>
  ) : (
    <Badge tone="good">All costs known</Badge>
  );
}
