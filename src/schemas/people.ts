import Type from 'typebox';
import { MAX_NAME } from '../domain/people.js';
import { ROLES, type Role } from '../domain/roles.js';
import { closed, Day } from './primitives.js';
import { validator } from './validator.js';

/** Bodies and answers of the app's requests about people, sessions and links. Timestamps in answers are RFC 3339 in UTC. */

const Secret = Type.String({ minLength: 1, maxLength: 1000 });
/** Judged by `nameFault`, which knows more; here its size is bounded. */
const Name = Type.String({ minLength: 1, maxLength: MAX_NAME });

/** A token, a ticket, or a name with its password. */
const SignIn = Type.Object(
  {
    token: Type.Optional(Secret),
    ticket: Type.Optional(Secret),
    name: Type.Optional(Name),
    password: Type.Optional(Secret),
  },
  { ...closed, minProperties: 1, maxProperties: 2 },
);

const CodeInput = Type.Object({ code: Secret }, closed);
const OwnPasswordInput = Type.Object({ old: Secret, password: Secret }, closed);
const JoinInput = Type.Object({ code: Secret, name: Name, password: Secret }, closed);

const rights = {
  role: Type.Enum([...ROLES]),
  /** Null: all shops, also those that are made later. */
  shops: Type.Unsafe<string[] | null>(
    Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 200 }), Type.Null()]),
  ),
};
const PersonInput = Type.Object({ name: Name, ...rights }, closed);
const RightsInput = Type.Object(rights, closed);

/** What the pages know of who is signed in. */
export interface Me {
  csrf: string;
  session_id: string;
  expires_at: string;
  /** Empty: the operator. */
  person_id: string;
  name: string;
  role: Role;
  shops: readonly string[] | null;
}

export interface AppPerson {
  person_id: string;
  name: string;
  role: Role;
  shops: readonly string[] | null;
  /** A password was chosen. */
  has_joined: boolean;
  /** Until when an invitation that is open can be used. */
  invited_until: string | null;
  sessions: number;
  seen_at: string | null;
}

/** The one answer that holds the code of an invitation. */
export interface FreshInvitation {
  person: AppPerson;
  code: string;
}

/** What the holder of a code is invited to. */
export interface InvitationAnswer {
  name: string;
  role: Role;
  shops: readonly string[] | null;
  invited_by: string;
  until: string;
}

export interface AppSession {
  session_id: string;
  /** It is the one that asks. */
  is_own: boolean;
  began_at: string;
  seen_at: string;
}

export interface LogAnswer {
  /** `times`: how often in one go; `at` is then of the last. `person_id` is empty: the operator. */
  entries: {
    entry_id: string;
    at: string;
    person_id: string;
    name: string;
    what: string;
    shop: string | null;
    times: number;
  }[];
  /** `before` of what follows. */
  next?: string;
}

/** Days of a shop to be shared. */
const ShareInput = Type.Object({ from: Day, to: Day }, closed);

export interface AppShareLink {
  link_id: string;
  from: string;
  to: string;
  made_by: string;
  until: string;
}

/** The one answer that holds the token of a link. */
export interface FreshShareLink extends AppShareLink {
  token: string;
}

/** What the holder of a link may see. */
export interface SharedView {
  shop_id: string;
  currency: string;
  timezone: string;
  from: string;
  to: string;
  until: string;
}

export const shareValidator = validator(ShareInput, 'The body');
export const signInValidator = validator(SignIn, 'The body');
export const codeValidator = validator(CodeInput, 'The body');
export const ownPasswordValidator = validator(OwnPasswordInput, 'The body');
export const joinValidator = validator(JoinInput, 'The body');
export const personValidator = validator(PersonInput, 'The body');
export const rightsValidator = validator(RightsInput, 'The body');
