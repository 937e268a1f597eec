import type { AccessLog } from '../../domain/access-log.js';
import { isCode, OPERATOR, type Who } from '../../domain/people.js';
import { nameFault } from '../../domain/person-names.js';
import { requestError, requireNoFaults, type ErrorDetail } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import { networkOfClient } from '../../http/middleware/network.js';
import type { People } from '../../repositories/people.js';
import { codeValidator, InvitationAnswer, joinValidator, Me, signInValidator } from '../../schemas/people.js';
import { appRoute, type AppCall, type AppRoute } from './app-route.js';
import { passwordFault } from './password-rule.js';
import type { Sessions } from './session.js';
import { nameTries, OF_NAME, OF_NETWORK, takeTry, type TryLimiter } from './tries.js';

export interface SignInDeps {
  sessions: Sessions;
  people: People;
  log: AccessLog;
  /** By network. */
  tries: TryLimiter;
  /** By network, of what is too long to be guessed: it takes nothing from the tries of what can be. */
  codeTries: TryLimiter;
  /** By name. */
  namedTries: TryLimiter;
}

const BODY_BYTES = 4 * 1024;
const USED = 'This invitation was used already, or it is over: ask for a new link.';

async function begin({ req, res }: AppCall, { sessions, log }: SignInDeps, who: Who, what: string): Promise<true> {
  // The operator must get in while the warehouse is away.
  const noted = log.note(who, what);
  if (who.personId === '') void noted.catch(() => undefined);
  else await noted;
  await sessions.start(req, res, who);
  return true;
}

async function asOperator(call: AppCall, deps: SignInDeps, proof: { token: string } | { ticket: string }) {
  const { sessions, tries, codeTries } = deps;
  // Others behind the operator's network must not lock the operator out. The limit is for the rest; people choose the token.
  if (!(await sessions.admits(proof))) {
    await takeTry('token' in proof ? tries : codeTries, networkOfClient(call.req), OF_NETWORK);
    const message =
      'ticket' in proof
        ? 'This link was used already, or it is too old. Sign in with the admin token, or ask for a new link.'
        : 'This is not the admin token.';
    throw requestError('sign_in_refused', message);
  }
  await tries.delete(networkOfClient(call.req));
  await begin(call, deps, OPERATOR, 'signed in with the admin token');
}

async function asPerson(call: AppCall, deps: SignInDeps, name: string, password: string): Promise<void> {
  const { sessions, people, tries, namedTries } = deps;
  const client = networkOfClient(call.req);
  const network = await takeTry(tries, client, OF_NETWORK);
  const named = await takeTry(namedTries, nameTries(name), OF_NAME);
  const start = (who: Who): Promise<true> => begin(call, deps, who, 'signed in');
  const isKnown = await sessions.isKnown(client);
  if ((await people.signIn({ name, password, isKnown }, start)) === null) {
    const left = Math.min(network, named);
    const more = `${left === 0 ? 'No' : left} more ${left === 1 ? 'try' : 'tries'} this minute.`;
    throw requestError('sign_in_refused', `This name and password don’t belong together. ${more}`);
  }
  // One try alone is given back: somebody with a password must not clear the count of guesses at those of others.
  await Promise.all([tries.reward(client), namedTries.delete(nameTries(name))]);
}

/** Whom a code invites. Throws `invitation_over`. */
async function invitedBy(code: string, { req }: AppCall, { people, codeTries }: SignInDeps) {
  // Each look reads the people.
  await takeTry(codeTries, networkOfClient(req), OF_NETWORK);
  const person = isCode(code) ? await people.invited(code) : null;
  if (person?.invitation == null) throw requestError('invitation_over', USED);
  await codeTries.reward(networkOfClient(req));
  return { ...person, invitation: person.invitation };
}

/** Sign in with name and password, with the admin token or a printed ticket, or by an invitation; sign out; who is signed in. */
export const signInRoutes: readonly AppRoute<SignInDeps>[] = [
  appRoute('anyone', 'POST /app/api/sign-in', {
    body: json(signInValidator, BODY_BYTES),
    errors: ['sign_in_refused', 'too_many_tries', 'rate_limited'],
    async run(call, deps) {
      const { token, ticket, name, password } = call.body;
      if (token !== undefined && ticket === undefined && name === undefined && password === undefined)
        await asOperator(call, deps, { token });
      else if (ticket !== undefined && token === undefined && name === undefined && password === undefined)
        await asOperator(call, deps, { ticket });
      else if (name !== undefined && password !== undefined) await asPerson(call, deps, name, password);
      else throw requestError('invalid_request', 'Send a token, a ticket, or a name with its password.');
    },
  }),
  appRoute('anyone', 'POST /app/api/invitation', {
    body: json(codeValidator, BODY_BYTES),
    answers: { 200: InvitationAnswer },
    errors: ['invitation_over', 'too_many_tries'],
    async run(call, deps) {
      const { name, role, shops, invitation } = await invitedBy(call.body.code, call, deps);
      return { name, role, shops, invited_by: invitation.by, until: new Date(invitation.until).toISOString() };
    },
  }),
  appRoute('anyone', 'POST /app/api/join', {
    body: json(joinValidator, BODY_BYTES),
    errors: ['invitation_over', 'too_many_tries', 'rate_limited'],
    async run(call, deps) {
      const { req, res } = call;
      const { code, name, password } = call.body;
      const invited = await invitedBy(code, call, deps);
      const wrong: [string, string | null][] = [
        ['name', nameFault(name)],
        ['password', await passwordFault(password)],
      ];
      requireNoFaults(
        wrong.flatMap(([field, message]): ErrorDetail[] =>
          message === null ? [] : [{ code: 'invalid_value', message, field }],
        ),
      );
      const chosen = { name: name.trim(), password };
      const renamed = chosen.name === invited.name ? '' : `, and this name in the place of ${invited.name}`;
      const what = `chose a password by invitation${renamed}`;
      const start = (who: Who): Promise<true> => deps.sessions.start(req, res, who).then(() => true);
      const join = (): Promise<true | null> => deps.people.join(code, chosen, start);
      const who = { ...invited, name: chosen.name };
      if ((await deps.log.change({ who, what }, join, (done) => (done === null ? null : what))) === null)
        throw requestError('invitation_over', USED);
    },
  }),
  appRoute('viewer', 'GET /app/api/session', {
    answers: { 200: Me },
    run({ session: { id: session_id, csrf, expiresAt, who } }) {
      const { personId: person_id, name, role, shops } = who;
      return { csrf, session_id, expires_at: new Date(expiresAt).toISOString(), person_id, name, role, shops };
    },
  }),
  appRoute('viewer', 'POST /app/api/sign-out', {
    run: ({ req, res }, { sessions }) => sessions.end(req, res),
  }),
];
