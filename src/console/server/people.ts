import type { Request } from 'express';
import { isShopId } from '../../domain/keys.js';
import type { Person } from '../../domain/people.js';
import { nameFault } from '../../domain/person-names.js';
import { readJson } from '../../body/read-json.js';
import { requestError } from '../../errors.js';
import type { SessionState, StoredSession } from '../../redis/sessions.js';
import type { Invited, People } from '../../repositories/people.js';
import {
  personValidator,
  rightsValidator,
  type AppPerson,
  type AppSession,
  type FreshInvitation,
} from '../../schemas/people.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { AppRoutes } from './app-routes.js';
import { sessionOf } from './guard.js';

export interface PeopleRouteDeps {
  people: People;
  sessions: SessionState;
}

const BODY_BYTES = 32 * 1024;
/** Sessions of one person in an answer. */
const MAX_SESSIONS = 50;
const ONE = '/app/api/people/:person';

const idOf = (req: Request): string => String(req.params.person);
const time = (ms: number): string => new Date(ms).toISOString();

/** People, their invitations and sessions. */
export function peopleRoutes(routes: AppRoutes, { people, sessions }: PeopleRouteDeps): void {
  const shown = async ({ personId, name, role, shops, password, invitation }: Person): Promise<AppPerson> => {
    const own = await sessions.list(personId);
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
  };
  const fresh = async ({ person, code }: Invited): Promise<FreshInvitation> => ({ person: await shown(person), code });

  routes.get('/app/api/people', async (_req, res) => {
    res.json({ people: await Promise.all((await people.list()).map(shown)) });
  });

  routes.post('/app/api/people', async (req, res) => {
    const fields = requireValid(personValidator, await readJson(req, BODY_BYTES));
    const fault = nameFault(fields.name);
    if (fault !== null) throw requestError('invalid_value', fault, 'name');
    const person = { ...rightsOf(fields), name: fields.name.trim() };
    const what = `invited ${person.name} as ${rightsIn(person)}`;
    const invited = await routes.change(res, { what }, () => people.invite(person, sessionOf(res).who));
    res.status(201).json(await fresh(invited));
  });

  routes.post(`${ONE}/invitation`, async (req, res) => {
    const invited = await routes.change(
      res,
      { what: `made a new invitation for ${idOf(req)}` },
      () => people.inviteAgain(idOf(req), sessionOf(res).who),
      ({ person }) => `made a new invitation for ${person.name}`,
    );
    res.status(201).json(await fresh(invited));
  });

  routes.patch(ONE, async (req, res) => {
    const rights = rightsOf(requireValid(rightsValidator, await readJson(req, BODY_BYTES)));
    const changed = await routes.change(
      res,
      { what: `changed ${idOf(req)} to ${rightsIn(rights)}` },
      () => people.change(idOf(req), rights, sessionOf(res).who),
      ({ before, after }) => `changed ${after.name} from ${rightsIn(before)} to ${rightsIn(after)}`,
    );
    res.json(await shown(changed.after));
  });

  routes.delete(ONE, async (req, res) => {
    await routes.change(
      res,
      { what: `removed ${idOf(req)}` },
      () => people.remove(idOf(req), sessionOf(res).who),
      ({ name }) => `removed ${name}`,
    );
    res.status(204).end();
  });

  const listed = async (personId: string, ownId: string): Promise<{ sessions: AppSession[] }> => ({
    sessions: (await sessions.list(personId)).slice(0, MAX_SESSIONS).map((session) => toSession(session, ownId)),
  });
  const end = async (personId: string, id: string): Promise<void> => {
    if ((await sessions.end(personId, id)) === 0) throw requestError('not_found', 'There is no such session.');
  };

  routes.get('/app/api/sessions', async (_req, res) => {
    const { who, id } = sessionOf(res);
    res.json(await listed(who.personId, id));
  });

  routes.post('/app/api/sessions/:session/end', async (req, res) => {
    await routes.change(res, { what: 'ended an own session' }, () =>
      end(sessionOf(res).who.personId, String(req.params.session)),
    );
    res.status(204).end();
  });

  routes.get(`${ONE}/sessions`, async (req, res) => {
    res.json(await listed(idOf(req), sessionOf(res).id));
  });

  routes.post(`${ONE}/sessions/:session/end`, async (req, res) => {
    const person = (await people.list()).find(({ personId }) => personId === idOf(req));
    if (person === undefined) throw requestError('not_found', 'There is no such person.');
    const what = `ended a session of ${person.name}`;
    await routes.change(res, { what }, () => end(person.personId, String(req.params.session)));
    res.status(204).end();
  });
}

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
