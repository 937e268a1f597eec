import type { Role } from '../../../domain/roles.js';
import { useMe } from './signed-in.js';

/** In place of a page that somebody may not use. */
export function NeedsRole({ role }: { role: Role }) {
  return (
    <div class="empty" role="alert">
      <p>
        This page needs the role {role}; yours is {useMe()?.role}. An owner can change it under Settings, People.
      </p>
    </div>
  );
}
