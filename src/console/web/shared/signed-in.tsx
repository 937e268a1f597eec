import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { isAtLeast, type Role } from '../../../domain/roles.js';
import type { Me } from '../../../schemas/people.js';
import { keepFor } from './answer-cache.js';
import { useRead } from './use-read.js';

const Who = createContext<Me | null>(null);

/** Knows for all below who is signed in. */
export function SignedIn({ children }: { children: ComponentChildren }) {
  const me = useRead<Me>('/app/api/session').data;
  const session = me?.session_id;
  useEffect(() => {
    if (session !== undefined) keepFor(session);
  }, [session]);
  return <Who.Provider value={me}>{children}</Who.Provider>;
}

/** Who is signed in; null until that is read. */
export const useMe = (): Me | null => useContext(Who);

/** Whether who is signed in has at least this role. The server holds to it; a page only leaves out what would be refused. */
export function useMay(needed: Role): boolean {
  const me = useMe();
  return me !== null && isAtLeast(me.role, needed);
}
