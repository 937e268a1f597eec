import type { Who } from '../../domain/people.js';
import { readJson } from '../../body/read-json.js';
import { requestError } from '../../errors.js';
import { networkOfClient } from '../../http/middleware/network.js';
import { ownPasswordValidator } from '../../schemas/people.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { AppRoutes } from './app-routes.js';
import { sessionOf } from './guard.js';
import { passwordFault } from './password-rule.js';
import type { SignInDeps } from './sign-in.js';
import { nameTries, takeTry } from './tries.js';

const BODY_BYTES = 4 * 1024;

/** A person changes the own password: all sessions end, and another one begins for who asked. */
export function ownPasswordRoutes(routes: AppRoutes, deps: SignInDeps): void {
  const { sessions, people, tries, namedTries } = deps;
  routes.post('/app/api/password', async (req, res) => {
    const { old, password } = requireValid(ownPasswordValidator, await readJson(req, BODY_BYTES));
    const fault = await passwordFault(password);
    if (fault !== null) throw requestError('invalid_value', fault, 'password');
    const { who } = sessionOf(res);
    if (who.personId === '') throw requestError('not_found', 'The admin token has no password.');
    // A session that was stolen must not be a way to guess the password.
    if ((await takeTry(tries, networkOfClient(req), { res, of: 'from your network' })) === null) return;
    if ((await takeTry(namedTries, nameTries(who.name), { res, of: 'with this name' })) === null) return;
    const begin = async (now: Who): Promise<true> => {
      await sessions.start(req, res, now);
      return true;
    };
    const what = 'changed the own password';
    const set = () => people.changePassword(who.personId, { old, password }, begin);
    if ((await routes.change(res, { what }, set, (done) => (done === null ? null : what))) === null)
      throw requestError('invalid_value', 'This is not the password that you have now.', 'old');
    await Promise.all([tries.reward(networkOfClient(req)), namedTries.reward(nameTries(who.name))]);
    res.status(204).end();
  });
}
