import type { Request } from 'express';
import { isShopId } from '../../domain/keys.js';
import type { Person } from '../../domain/people.js';
import { nameFault } from '../../domain/person-names.js';
import { requestError } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import type { SessionState, StoredSession } from '../../redis/sessions.js';
import type { Invited, People } from '../../repositories/people.js';
import {
  AppPerson,
  FreshInvitation,
  PeopleAnswer,
  personValidator,
  rightsValidator,
  SessionsAnswer,
  type AppSession,
} from '../../schemas/people.js';
import { appRoute, type AppCall, type AppRoute } from './app-route.js';

export interface PeopleRouteDeps {
  people: People;
  sessionState: SessionState;
}

const BODY_BYTES = 32 * 1024;
/** Sessions of one person in an answer. */
const MAX_SESSIONS = 50;

const idOf = (req: Request): string => String(req.params.person);
const time = (ms: number): string => new Date(ms).toISOString();

async function shown(sessionState: SessionState, person: Person): Promise<AppPerson> {
  const { personId, name, role, shops, password, invitation } = person;
  const own = await sessionState.list(personId);
  const seen = own.map(({ seenAt }) => seenAt);
  return {
    person_id: personId,
    name,
    role,
    shops,
    has_joined: password !== '',
    invited_until: invitation === null ? null : time(invitation.until),
    sessions: own.length,
    seen_at: seen.length === 0 ? null : time(Math.max(...seen)),
  };
}

async function fresh(
  { res }: AppCall,
  sessionState: SessionState,
  { person, code }: Invited,
): Promise<FreshInvitation> {
  res.status(201);
  return { person: await shown(sessionState, person), code };
}

async function listed(sessionState: SessionState, personId: string, ownId: string): Promise<SessionsAnswer> {
  const sessions = await sessionState.list(personId);
  return { sessions: sessions.slice(0, MAX_SESSIONS).map((session) => toSession(session, ownId)) };
}

async function end({ req }: AppCall, sessionState: SessionState, personId: string): Promise<void> {
  if ((await sessionState.end(personId, String(req.params.session))) === 0)
    throw requestError('not_found', 'There is no such session.');
}

/** People, their invitations and sessions. */
export const peopleRoutes: readonly AppRoute<PeopleRouteDeps>[] = [
  appRoute('owner', 'GET /app/api/people', {
    answers: { 200: PeopleAnswer },
    run: async (_call, { people, sessionState }) => ({
      people: await Promise.all((await people.list()).map((person) => shown(sessionState, person))),
    }),
  }),
  appRoute('owner', 'POST /app/api/people', {
    body: json(personValidator, BODY_BYTES),
    answers: { 201: FreshInvitation },
    errors: ['not_found'],
    async run(call, { people, sessionState }) {
      const { body, session, change } = call;
      const fault = nameFault(body.name);
      if (fault !== null) throw requestError('invalid_value', fault, 'name');
      const person = { ...rightsOf(body), name: body.name.trim() };
      const what = `invited ${person.name} as ${rightsIn(person)}`;
      return fresh(call, sessionState, await change(what, () => people.invite(person, session.who)));
    },
  }),
  appRoute('owner', 'POST /app/api/people/:person/invitation', {
    answers: { 201: FreshInvitation },
    errors: ['invalid_value'],
    async run(call, { people, sessionState }) {
      const { req, session, change } = call;
      const invited = await change(
        `made a new invitation for ${idOf(req)}`,
        () => people.inviteAgain(idOf(req), session.who),
        ({ person }) => `made a new invitation for ${person.name}`,
      );
      return fresh(call, sessionState, invited);
    },
  }),
  appRoute('owner', 'PATCH /app/api/people/:person', {
    body: json(rightsValidator, BODY_BYTES),
    answers: { 200: AppPerson },
    async run({ req, body, session, change }, { people, sessionState }) {
      const rights = rightsOf(body);
      const changed = await change(
        `changed ${idOf(req)} to ${rightsIn(rights)}`,
        () => people.change(idOf(req), rights, session.who),
        ({ before, after }) => `changed ${after.name} from ${rightsIn(before)} to ${rightsIn(after)}`,
      );
      return shown(sessionState, changed.after);
    },
  }),
  appRoute('owner', 'DELETE /app/api/people/:person', {
    errors: ['invalid_value'],
    async run({ req, session, change }, { people }) {
      const remove = () => people.remove(idOf(req), session.who);
      await change(`removed ${idOf(req)}`, remove, ({ name }) => `removed ${name}`);
    },
  }),
  appRoute('viewer', 'GET /app/api/sessions', {
    answers: { 200: SessionsAnswer },
    run: ({ session: { who, id } }, { sessionState }) => listed(sessionState, who.personId, id),
  }),
  appRoute('viewer', 'POST /app/api/sessions/:session/end', {
    run: (call, { sessionState }) =>
      call.change('ended an own session', () => end(call, sessionState, call.session.who.personId)),
  }),
  appRoute('owner', 'GET /app/api/people/:person/sessions', {
    answers: { 200: SessionsAnswer },
    run: ({ req, session }, { sessionState }) => listed(sessionState, idOf(req), session.id),
  }),
  appRoute('owner', 'POST /app/api/people/:person/sessions/:session/end', {
    async run(call, { people, sessionState }) {
      const person = (await people.list()).find(({ personId }) => personId === idOf(call.req));
      if (person === undefined) throw requestError('not_found', 'There is no such person.');
      await call.change(`ended a session of ${person.name}`, () => end(call, sessionState, person.personId));
    },
  }),
];

/** An owner has all shops. */
function rightsOf({ role, shops }: Pick<AppPerson, 'role' | 'shops'>): Pick<Person, 'role' | 'shops'> {
  if (role === 'owner' && shops !== null)
    throw requestError('invalid_value', 'An owner has all shops: shops must be null.', 'shops');
  const wrong = shops?.find((shop) => !isShopId(shop));
  if (wrong !== undefined) throw requestError('invalid_value', 'A shop has an id that can’t be one.', 'shops');
  return { role, shops: shops === null ? null : [...new Set(shops)].sort() };
}

const NAMED_SHOPS = 3;
const rightsIn = ({ role, shops }: Pick<Person, 'role' | 'shops'>): string =>
  `${role} of ${shops === null ? 'all shops' : shops.length > NAMED_SHOPS ? `${shops.length} shops` : shops.join(', ')}`;

const toSession = ({ id, beganAt, seenAt }: StoredSession, ownId: string): AppSession => ({
  session_id: id,
  is_own: id === ownId,
  began_at: time(beganAt),
  seen_at: time(seenAt),
});
