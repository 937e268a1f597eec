import type { Request, RequestHandler, Response } from 'express';
import type { Static, TSchema } from 'typebox';
import type { AccessLog, Change } from '../../domain/access-log.js';
import { isShopId } from '../../domain/keys.js';
import type { AnyErrorCode } from '../../error-catalogue.js';
import { requestError } from '../../errors.js';
import { itemErrorsOf } from '../../http/openapi/item-errors.js';
import type { Method } from '../../http/openapi/operation.js';
import { askedErrors } from '../../http/openapi/request-errors.js';
import type { QueryDeclaration, QueryOf } from '../../http/query.js';
import type { RequestBody } from '../../http/request-bodies.js';
import { answering, type AnswerTools } from '../../http/route.js';
import { guardErrors, guardsOf, type Access, type GuardDeps } from './guard.js';
import type { Session } from './session.js';

/** A request that the guards admitted, and whose query and body were checked. */
export interface AppCall<Query = unknown, Content = unknown> {
  req: Request;
  res: Response;
  query: Query;
  body: Content;
  /** The shop that the path names. Throws `not_found` for what can't be one. */
  readonly shopId: string;
  readonly session: Session;
  /** Runs a change of the person, which is in the log ({@link AccessLog.change}); without `shop` it is of the shop that the path names. */
  change: <T>(
    of: string | Omit<Change, 'who'>,
    work: () => Promise<T>,
    done?: (result: T) => string | null,
  ) => Promise<T>;
}

interface AppRouteDefinition<Declared extends QueryDeclaration, Content, Deps, Answer extends TSchema> {
  query?: Declared;
  body?: RequestBody<Content>;
  /** Successful answers by status. Absent: it is sent already, or the status 204 is all of it. */
  answers?: Readonly<Record<number, Answer>>;
  /** Codes beyond those that role, path, query and body bring by themselves. */
  errors?: readonly AnyErrorCode[];
  run: (call: AppCall<QueryOf<Declared>, Content>, deps: Deps) => Given<Answer>;
}

type Given<Answer extends TSchema> = [Answer] extends [never]
  ? Promise<void>
  : Static<Answer> | Promise<Static<Answer>>;

export type Verb = Uppercase<Method>;

/** A route of the app, which answers once it has what it works with. */
export interface AppRoute<Deps> {
  /** `GET /app/api/session` */
  name: string;
  method: Method;
  path: string;
  role: Access;
  answers: Readonly<Record<number, TSchema>>;
  /** All codes of its refusals. Of one that is sent on to the API: but for those of the API. */
  errors: readonly AnyErrorCode[];
  handlers: (deps: Deps & GuardDeps & { log: AccessLog }, tools: AnswerTools) => readonly RequestHandler[];
}

export function appRoute<Deps, Declared extends QueryDeclaration, Content, Answer extends TSchema = never>(
  role: Access,
  name: `${Verb} /app/api/${string}`,
  { query, body, answers = {}, errors = [], run }: AppRouteDefinition<Declared, Content, Deps, Answer>,
): AppRoute<Deps> {
  const [verb, path] = name.split(' ') as [Verb, string];
  const method = verb.toLowerCase() as Method;
  const parameters = Object.values(query ?? {}).flatMap((part) => part.parameters);
  return {
    name,
    method,
    path,
    role,
    answers,
    errors: [
      ...guardErrors(role, method, path),
      ...askedErrors({ path, parameters, ...(body && { body }) }),
      ...(parameters.length > 0 ? (['invalid_value'] as const) : []),
      ...(body === undefined ? [] : itemErrorsOf(body.schema)),
      ...errors,
    ],
    handlers: (deps, tools) => [
      ...guardsOf(role, method, deps),
      answering(
        {
          query,
          body,
          takesUnknown: true,
          exchangeOf: (req, res) => exchangeOf(req, res, deps.log),
          run: (call) => run(call, deps),
        },
        tools,
      ),
    ],
  };
}

function exchangeOf(req: Request, res: Response, log: AccessLog): Omit<AppCall, 'query' | 'body'> {
  // Kept, since a request that is sent on to the API gets the parameters of that path.
  const shop = req.params.shop?.toString();
  return {
    req,
    res,
    get shopId() {
      if (shop === undefined || !isShopId(shop)) throw requestError('not_found', 'This is no shop id.');
      return shop;
    },
    get session() {
      return res.locals.session as Session;
    },
    change(of, work, done) {
      const { who } = res.locals.session as Session;
      return log.change({ ...(typeof of === 'string' ? { what: of, shop } : of), who }, work, done);
    },
  };
}
