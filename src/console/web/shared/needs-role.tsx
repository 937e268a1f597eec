import type { ComponentChildren } from 'preact';
import { isAtLeast, type Role } from '../../../domain/roles.js';
import { useMe } from './signed-in.js';

/** A page, or in its place which role it needs; nothing until it is known who is signed in. */
export function NeedsRole({ role, children }: { role: Role; children: ComponentChildren }) {
  const me = useMe();
  if (me === null) return null;
  if (isAtLeast(me.role, role)) return <>{children}</>;
  return (
    <div class="empty" role="alert">
      <p>
        This page needs the role {role}; yours is {me.role}. An owner can change it under Settings, People.
      </p>
    </div>
  );
}
