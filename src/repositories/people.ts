import {
  hashCode,
  INVITATION_MS,
  MAX_PEOPLE,
  nameKey,
  newCode,
  newId,
  type Person,
  type Who,
} from '../domain/people.js';
import { looksLike } from '../domain/person-names.js';
import { requestError } from '../errors.js';
import type { WithLock } from '../redis/locks.js';
import type { SessionState } from '../redis/sessions.js';
import type { Visits } from '../redis/visits.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { PeopleStore } from '../warehouse/queries/people.js';
import type { Passwords } from './passwords.js';

interface PeopleDeps {
  store: PeopleStore;
  sessions: Pick<SessionState, 'end'>;
  visits: Pick<Visits, 'forget'>;
  passwords: Passwords;
  takeStamps: TakeStamps;
  withLock: WithLock;
  now: () => number;
}

const NO_PERSON = 'There is no such person.';

export type PersonFields = Pick<Person, 'name' | 'role' | 'shops'>;

/** A person and the code of the invitation, which is known in this answer alone. */
export interface Invited {
  person: Person;
  code: string;
}

/**
 * The people of the installation, read from the warehouse each time: they are few. Everything here throws `store_unavailable` while their
 * shard is away. All changes have one lock, and so has the beginning of a session: none begins with what somebody may no longer do.
 */
export interface People {
  list(): Promise<Person[]>;
  /** Runs `start` for the person whose name and password these are; null: they don't belong together. `isKnown` as `Passwords` has it. */
  signIn<T>(
    proof: { name: string; password: string; isKnown: boolean },
    start: (who: Who) => Promise<T>,
  ): Promise<T | null>;
  invite(fields: PersonFields, by: Who): Promise<Invited>;
  /** A new code for somebody whose link was not used or whose password is lost; an earlier code works no more. */
  inviteAgain(personId: string, by: Who): Promise<Invited>;
  /** Whom a code invites; null: it was used, is over, or never was. */
  invited(code: string): Promise<Person | null>;
  /** Uses a code: sets name and password, and runs `start`. Null as in {@link invited}. */
  join<T>(code: string, chosen: { name: string; password: string }, start: (who: Who) => Promise<T>): Promise<T | null>;
  /** Sets another password, ends all sessions and an open invitation of the person, and runs `start`. Null: the old one is wrong. */
  changePassword<T>(
    personId: string,
    passwords: { old: string; password: string },
    start: (who: Who) => Promise<T>,
  ): Promise<T | null>;
  /** Ends all sessions of the person. */
  change(personId: string, fields: Pick<Person, 'role' | 'shops'>, by: Who): Promise<{ before: Person; after: Person }>;
  remove(personId: string, by: Who): Promise<Person>;
}

export function createPeople({ store, sessions, visits, passwords, takeStamps, withLock, now }: PeopleDeps): People {
  const locked = <T>(work: (all: Person[]) => Promise<T>): Promise<T> =>
    withLock('people', async () => work(await store.list()));
  /** For a change of people, which somebody makes who may have been removed since the request began. */
  const lockedBy = <T>({ personId: by }: Who, work: (all: Person[]) => Promise<T>): Promise<T> =>
    locked(async (all) => {
      if (by !== '' && required(all, by).role !== 'owner') throw requestError('not_found', NO_PERSON);
      return work(all);
    });

  /** Sessions end before it is written, and those that began although the lock was lost, after it. */
  const write = async (person: Person): Promise<void> => {
    await sessions.end(person.personId);
    await store.write(person, await takeStamps());
    await sessions.end(person.personId);
  };
  const withCode = (all: readonly Person[], code: string): Person | null => {
    const hash = hashCode(code);
    return all.find(({ invitation }) => invitation?.hash === hash && invitation.until > now()) ?? null;
  };
  const invitation = (code: string, { name: by }: Who) => ({ hash: hashCode(code), by, until: now() + INVITATION_MS });

  return {
    list: () => store.list(),
    async signIn({ name, password, isKnown }, start) {
      const isNamed = (person: Person): boolean => nameKey(person.name) === nameKey(name);
      const found = (await store.list()).find(isNamed);
      if (!(await passwords.isRight(password, found?.password ?? '', isKnown))) return null;
      return locked(async (all) => {
        const person = all.find(({ personId }) => personId === found?.personId);
        return person === undefined || person.password !== found?.password ? null : start(person);
      });
    },
    invite: (fields, by) =>
      lockedBy(by, async (all) => {
        requireFreeName(all, fields.name);
        if (all.length >= MAX_PEOPLE) throw requestError('too_many', `There are ${MAX_PEOPLE} people already.`);
        const code = newCode();
        const person: Person = {
          personId: newId(),
          ...fields,
          password: '',
          invitation: invitation(code, by),
          createdAt: now(),
        };
        await store.write(person, await takeStamps());
        return { person, code };
      }),
    inviteAgain: (personId, by) =>
      lockedBy(by, async (all) => {
        const code = newCode();
        const person = { ...required(all, personId), invitation: invitation(code, by) };
        await store.write(person, await takeStamps());
        return { person, code };
      }),
    invited: async (code) => withCode(await store.list(), code),
    async join(code, { name, password }, start) {
      if (withCode(await store.list(), code) === null) return null;
      const hashed = await passwords.hash(password);
      return locked(async (all) => {
        const invited = withCode(all, code);
        if (invited === null) return null;
        requireFreeName(all, name, invited.personId);
        // One row: the code is used and the password set, or neither.
        const person = { ...invited, name, password: hashed, invitation: null };
        await write(person);
        return start(person);
      });
    },
    async changePassword(personId, { old, password }, start) {
      const isOne = (person: Person): boolean => person.personId === personId;
      const known = (await store.list()).find(isOne)?.password ?? '';
      if (!(await passwords.isRight(old, known))) return null;
      const hashed = await passwords.hash(password);
      return locked(async (all) => {
        const person = all.find(isOne);
        if (person?.password !== known) return null;
        const changed = { ...person, password: hashed, invitation: null };
        await write(changed);
        return start(changed);
      });
    },
    change: (personId, fields, by) =>
      lockedBy(by, async (all) => {
        const before = required(all, personId);
        const after = { ...before, ...fields };
        requireOwner(all, after);
        await write(after);
        return { before, after };
      }),
    remove: (personId, by) =>
      lockedBy(by, async (all) => {
        const person = required(all, personId);
        requireOwner(all, { ...person, role: 'viewer' });
        await sessions.end(personId);
        await store.remove(personId, await takeStamps());
        await sessions.end(personId);
        await visits.forget(personId);
        return person;
      }),
  };
}

function required(all: readonly Person[], personId: string): Person {
  const person = all.find((one) => one.personId === personId);
  if (person === undefined) throw requestError('not_found', NO_PERSON);
  return person;
}

function requireFreeName(all: readonly Person[], name: string, own?: string): void {
  if (all.some((person) => person.personId !== own && looksLike(person.name, name)))
    throw requestError(
      'invalid_value',
      'Somebody has this name already, or one that looks like it: choose another one.',
      'name',
    );
}

const isOwner = ({ role, shops, password }: Person): boolean => role === 'owner' && shops === null && password !== '';

/** Throws if the last owner who can sign in would be none. */
function requireOwner(all: readonly Person[], changed: Person): void {
  const before = all.find(({ personId }) => personId === changed.personId);
  if (before === undefined || !isOwner(before) || isOwner(changed)) return;
  if (!all.some((person) => person.personId !== changed.personId && isOwner(person)))
    throw requestError('invalid_value', 'This is the last owner: make somebody else an owner first.');
}
