import type { Who } from '../../domain/people.js';
import { requestError } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import { networkOfClient } from '../../http/middleware/network.js';
import { ownPasswordValidator } from '../../schemas/people.js';
import { appRoute, type AppRoute } from './app-route.js';
import { passwordFault } from './password-rule.js';
import type { SignInDeps } from './sign-in.js';
import { nameTries, OF_NAME, OF_NETWORK, takeTry } from './tries.js';

const BODY_BYTES = 4 * 1024;

/** A person changes the own password: all sessions end, and another one begins for who asked. */
export const ownPasswordRoutes: readonly AppRoute<SignInDeps>[] = [
  appRoute('viewer', 'POST /app/api/password', {
    body: json(ownPasswordValidator, BODY_BYTES),
    errors: ['not_found', 'too_many_tries', 'rate_limited'],
    async run({ req, res, body: { old, password }, session: { who }, change }, deps) {
      const { sessions, people, tries, namedTries } = deps;
      const fault = await passwordFault(password);
      if (fault !== null) throw requestError('invalid_value', fault, 'password');
      if (who.personId === '') throw requestError('not_found', 'The admin token has no password.');
      // A session that was stolen must not be a way to guess the password.
      await takeTry(tries, networkOfClient(req), OF_NETWORK);
      await takeTry(namedTries, nameTries(who.name), OF_NAME);
      const begin = async (now: Who): Promise<true> => {
        await sessions.start(req, res, now);
        return true;
      };
      const what = 'changed the own password';
      const set = () => people.changePassword(who.personId, { old, password }, begin);
      if ((await change(what, set, (done) => (done === null ? null : what))) === null)
        throw requestError('invalid_value', 'This is not the password that you have now.', 'old');
      await Promise.all([tries.reward(networkOfClient(req)), namedTries.reward(nameTries(who.name))]);
    },
  }),
];
