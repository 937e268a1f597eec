import type { Role } from '../../../../domain/roles.js';

export const ROLE_NAMES: Readonly<Record<Role, string>> = { viewer: 'Viewer', manager: 'Manager', owner: 'Owner' };

export const ROLE_MEANS: Readonly<Record<Role, string>> = {
  viewer: 'figures, read only',
  manager: 'settings and keys',
  owner: 'everything',
};

/** `all shops`, or their ids. */
export const shopsIn = (shops: readonly string[] | null): string => shops?.join(', ') ?? 'all shops';
