import { hash, randomBytes } from 'node:crypto';
import type { Role } from './roles.js';

/** A link that lets its holder choose the password of a person, once. */
export interface Invitation {
  /** SHA-256 of the code, lower-case hex. */
  hash: string;
  by: string;
  until: number;
}

/** Somebody who may use the app. Times are milliseconds since 1970. */
export interface Person {
  personId: string;
  name: string;
  role: Role;
  /** Null: all of them. */
  shops: readonly string[] | null;
  /** As `hashPassword` gives it; empty: none was chosen yet. */
  password: string;
  invitation: Invitation | null;
  createdAt: number;
}

/** Who a session belongs to; the operator, who holds the admin token, has no id. */
export type Who = Pick<Person, 'personId' | 'name' | 'role' | 'shops'>;

export const OPERATOR: Who = { personId: '', name: 'Operator', role: 'owner', shops: null };

export const maySee = ({ shops }: Pick<Who, 'shops'>, shopId: string): boolean =>
  shops === null || shops.includes(shopId);

export const INVITATION_MS = 7 * 24 * 60 * 60 * 1000;
export const MAX_PEOPLE = 500;
export const MAX_NAME = 64;
export const PASSWORD_LENGTH = { least: 12, most: 128 };

/** Names that differ in case or blanks alone are one. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();

/** A secret of 256 random bits that is handed over in a link; only its hash is kept. */
export const newCode = (): string => randomBytes(32).toString('base64url');
export const isCode = (text: string): boolean => /^[\w-]{43}$/.test(text);
export const hashCode = (code: string): string => hash('sha256', code);
export const newId = (): string => randomBytes(12).toString('base64url');
