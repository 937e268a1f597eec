/** From the one that may least. */
export const ROLES = ['viewer', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether somebody of this role may do what needs that one. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
