import type { Request, Response } from 'express';
import type { AccessLog } from '../../domain/access-log.js';
import { isCode, OPERATOR, type Who } from '../../domain/people.js';
import { nameFault } from '../../domain/person-names.js';
import { readJson } from '../../body/read-json.js';
import { requestError, requireNoFaults, type ErrorDetail } from '../../errors.js';
import { networkOfClient } from '../../http/middleware/network.js';
import type { People } from '../../repositories/people.js';
import { codeValidator, joinValidator, signInValidator, type InvitationAnswer, type Me } from '../../schemas/people.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { AppRoutes } from './app-routes.js';
import { refuse, sessionOf } from './guard.js';
import { passwordFault } from './password-rule.js';
import type { Sessions } from './session.js';
import { nameTries, takeTry, type TryLimiter } from './tries.js';

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
const OF_NETWORK = 'from your network';
const USED = 'This invitation was used already, or it is over: ask for a new link.';

/** Sign in with name and password, with the admin token or a printed ticket, or by an invitation; sign out; who is signed in. */
export function signInRoutes(routes: AppRoutes, deps: SignInDeps): void {
  const { sessions, people, log, tries, codeTries, namedTries } = deps;
  const begin = async (req: Request, res: Response, who: Who, what: string): Promise<true> => {
    // The operator must get in while the warehouse is away.
    const noted = log.note(who, what);
    if (who.personId === '') void noted.catch(() => undefined);
    else await noted;
    await sessions.start(req, res, who);
    return true;
  };

  const asOperator = async (proof: { token: string } | { ticket: string }, req: Request, res: Response) => {
    // Others behind the operator's network must not lock the operator out. The limit is for the rest; people choose the token.
    if (!(await sessions.admits(proof))) {
      const limit = 'token' in proof ? tries : codeTries;
      if ((await takeTry(limit, networkOfClient(req), { res, of: OF_NETWORK })) === null) return;
      const message =
        'ticket' in proof
          ? 'This link was used already, or it is too old. Sign in with the admin token, or ask for a new link.'
          : 'This is not the admin token.';
      refuse(res, 401, 'sign_in_refused', message);
      return;
    }
    await tries.delete(networkOfClient(req));
    await begin(req, res, OPERATOR, 'signed in with the admin token');
    res.status(204).end();
  };

  const asPerson = async (name: string, password: string, req: Request, res: Response): Promise<void> => {
    const network = await takeTry(tries, networkOfClient(req), { res, of: OF_NETWORK });
    if (network === null) return;
    const named = await takeTry(namedTries, nameTries(name), { res, of: 'with this name' });
    if (named === null) return;
    const start = (who: Who): Promise<true> => begin(req, res, who, 'signed in');
    const isKnown = await sessions.isKnown(networkOfClient(req));
    if ((await people.signIn({ name, password, isKnown }, start)) === null) {
      const left = Math.min(network, named);
      const more = `${left === 0 ? 'No' : left} more ${left === 1 ? 'try' : 'tries'} this minute.`;
      refuse(res, 401, 'sign_in_refused', `This name and password don’t belong together. ${more}`);
      return;
    }
    // One try alone is given back: somebody with a password must not clear the count of guesses at those of others.
    await Promise.all([tries.reward(networkOfClient(req)), namedTries.delete(nameTries(name))]);
    res.status(204).end();
  };

  /** Whom a code invites; null: it invites no longer, and the answer is sent. */
  const invitedBy = async (code: string, req: Request, res: Response) => {
    // Each look reads the people.
    if ((await takeTry(codeTries, networkOfClient(req), { res, of: OF_NETWORK })) === null) return null;
    const person = isCode(code) ? await people.invited(code) : null;
    if (person?.invitation == null) {
      refuse(res, 404, 'invitation_over', USED);
      return null;
    }
    await codeTries.reward(networkOfClient(req));
    return { ...person, invitation: person.invitation };
  };

  routes.post('/app/api/sign-in', async (req, res) => {
    const { token, ticket, name, password } = requireValid(signInValidator, await readJson(req, BODY_BYTES));
    if (token !== undefined && ticket === undefined && name === undefined && password === undefined)
      await asOperator({ token }, req, res);
    else if (ticket !== undefined && token === undefined && name === undefined && password === undefined)
      await asOperator({ ticket }, req, res);
    else if (name !== undefined && password !== undefined) await asPerson(name, password, req, res);
    else throw requestError('invalid_request', 'Send a token, a ticket, or a name with its password.');
  });

  routes.post('/app/api/invitation', async (req, res) => {
    const { code } = requireValid(codeValidator, await readJson(req, BODY_BYTES));
    const person = await invitedBy(code, req, res);
    if (person === null) return;
    const { name, role, shops, invitation } = person;
    res.json({
      name,
      role,
      shops,
      invited_by: invitation.by,
      until: new Date(invitation.until).toISOString(),
    } satisfies InvitationAnswer);
  });

  routes.post('/app/api/join', async (req, res) => {
    const { code, name, password } = requireValid(joinValidator, await readJson(req, BODY_BYTES));
    const invited = await invitedBy(code, req, res);
    if (invited === null) return;
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
    const start = (who: Who): Promise<true> => sessions.start(req, res, who).then(() => true);
    const join = (): Promise<true | null> => people.join(code, chosen, start);
    const who = { ...invited, name: chosen.name };
    if ((await log.change({ who, what }, join, (done) => (done === null ? null : what))) === null)
      refuse(res, 404, 'invitation_over', USED);
    else res.status(204).end();
  });

  routes.get('/app/api/session', (_req, res) => {
    const { id: session_id, csrf, expiresAt, who } = sessionOf(res);
    const { personId: person_id, name, role, shops } = who;
    const expires_at = new Date(expiresAt).toISOString();
    res.json({ csrf, session_id, expires_at, person_id, name, role, shops } satisfies Me);
  });

  routes.post('/app/api/sign-out', async (req, res) => {
    await sessions.end(req, res);
    res.status(204).end();
  });
}
