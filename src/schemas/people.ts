import Type, { type Static } from 'typebox';
import { MAX_NAME } from '../domain/people.js';
import { ROLES } from '../domain/roles.js';
import { closed, Currency, Day, NullableId, NullableTimestamp, Timestamp } from './primitives.js';
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

/** `null`: all shops. */
const SeenShops = Type.Unsafe<readonly string[] | null>(Type.Union([Type.Array(Type.String()), Type.Null()]));
/** What somebody may do, in an answer. */
const shownRights = { name: Type.String(), role: Type.Enum([...ROLES]), shops: SeenShops };

/** What the pages know of who is signed in. */
export const Me = Type.Object(
  {
    csrf: Type.String(),
    session_id: Type.String(),
    expires_at: Timestamp,
    /** Empty: the operator. */
    person_id: Type.String(),
    ...shownRights,
  },
  closed,
);
export type Me = Static<typeof Me>;

export const AppPerson = Type.Object(
  {
    person_id: Type.String(),
    ...shownRights,
    /** A password was chosen. */
    has_joined: Type.Boolean(),
    /** Until when an invitation that is open can be used. */
    invited_until: NullableTimestamp,
    sessions: Type.Integer(),
    seen_at: NullableTimestamp,
  },
  closed,
);
export type AppPerson = Static<typeof AppPerson>;

export const PeopleAnswer = Type.Object({ people: Type.Array(AppPerson) }, closed);
export type PeopleAnswer = Static<typeof PeopleAnswer>;

/** The one answer that holds the code of an invitation. */
export const FreshInvitation = Type.Object({ person: AppPerson, code: Type.String() }, closed);
export type FreshInvitation = Static<typeof FreshInvitation>;

/** What the holder of a code is invited to. */
export const InvitationAnswer = Type.Object({ ...shownRights, invited_by: Type.String(), until: Timestamp }, closed);
export type InvitationAnswer = Static<typeof InvitationAnswer>;

const AppSession = Type.Object(
  {
    session_id: Type.String(),
    /** It is the one that asks. */
    is_own: Type.Boolean(),
    began_at: Timestamp,
    seen_at: Timestamp,
  },
  closed,
);
export type AppSession = Static<typeof AppSession>;

export const SessionsAnswer = Type.Object({ sessions: Type.Array(AppSession) }, closed);
export type SessionsAnswer = Static<typeof SessionsAnswer>;

/** An entry of the log of who did what, as its file has it. */
const logRow = {
  entry_id: Type.String(),
  at: Timestamp,
  /** Empty: the operator. */
  person_id: Type.String(),
  name: Type.String(),
  what: Type.String(),
  /** Null: it is about no shop. */
  shop: NullableId,
};
/** `times`: how often in one go; `at` is then of the last. */
const LogEntry = Type.Object({ ...logRow, times: Type.Integer({ minimum: 1 }) }, closed);
export type LogEntry = Static<typeof LogEntry>;

/** `next` is the `before` of what follows. */
export const LogAnswer = Type.Object({ entries: Type.Array(LogEntry), next: Type.Optional(Type.String()) }, closed);
export type LogAnswer = Static<typeof LogAnswer>;

/** Days of a shop to be shared. */
const ShareInput = Type.Object({ from: Day, to: Day }, closed);

/** The days of a link, and until when it can be used. */
const shared = { from: Day, to: Day, until: Timestamp };

const AppShareLink = Type.Object({ link_id: Type.String(), made_by: Type.String(), ...shared }, closed);
export type AppShareLink = Static<typeof AppShareLink>;

export const ShareLinksAnswer = Type.Object({ links: Type.Array(AppShareLink) }, closed);
export type ShareLinksAnswer = Static<typeof ShareLinksAnswer>;

/** The one answer that holds the token of a link. */
export const FreshShareLink = Type.Object({ ...AppShareLink.properties, token: Type.String() }, closed);
export type FreshShareLink = Static<typeof FreshShareLink>;

/** What the holder of a link may see. */
export const SharedView = Type.Object(
  { shop_id: Type.String(), currency: Currency, timezone: Type.String(), ...shared },
  closed,
);
export type SharedView = Static<typeof SharedView>;

export const shareValidator = validator(ShareInput, 'The body');
export const signInValidator = validator(SignIn, 'The body');
export const codeValidator = validator(CodeInput, 'The body');
export const ownPasswordValidator = validator(OwnPasswordInput, 'The body');
export const joinValidator = validator(JoinInput, 'The body');
export const personValidator = validator(PersonInput, 'The body');
export const rightsValidator = validator(RightsInput, 'The body');
