import { Amount } from '../shared/amount.js';
import type { Found } from './found.js';

interface Props {
  name: string;
  found: readonly Found[];
  /** The place of its first entry among all. */
  first: number;
  /** The address of the active one. */
  active: string | undefined;
}

/** What was found of a kind. */
export function FoundGroup({ name, found, first, active }: Props) {
  return (
    <div role="group" aria-label={name}>
      <div class="group-name" aria-hidden="true">
        {name}
      </div>
      {found.map(({ href, label, about, amount }, i) => (
        <a key={href} id={`found-${first + i}`} role="option" href={href} tabIndex={-1} aria-selected={href === active}>
          <b>{label}</b>
          <span class="cut">{about}</span>
          {amount !== undefined && (
            <span class="soft">
              <Amount value={amount.value} currency={amount.currency} />
            </span>
          )}
        </a>
      ))}
    </div>
  );
}
