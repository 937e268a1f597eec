import type { Request, RequestHandler, Response } from 'express';
import { fieldsOf } from '../domain/fields.js';
import type { Sender } from '../domain/ingest.js';
import type { Scope } from '../domain/keys.js';
import type { ErrorCode } from '../error-catalogue.js';
import { formatOf, type ExportFormat } from './exports/format.js';
import { aroundChangeOf, authOf, senderOf } from './middleware/authenticate.js';
import type { Method, Operation, Parameter } from './openapi/operation.js';
import { itemErrorsOf } from './openapi/item-errors.js';
import { tagsOf } from './middleware/request-id.js';
import { readQuery, type QueryDeclaration, type QueryOf } from './query.js';
import type { BodyTools, RequestBody } from './request-bodies.js';
import type { QueryTags } from '../warehouse/client.js';

/** What queries and bodies are read with. */
export interface AnswerTools extends BodyTools {
  now: () => number;
  /** Days that the past of figures is kept. */
  keptDays: number;
}

/** What every route works with. */
export interface RouteTools extends AnswerTools {
  /** Authentication by a key that holds the scope, and its limit of reads or of writes. */
  guards(scope: Scope | 'secret', counts: 'reads' | 'writes'): readonly RequestHandler[];
}

/** A request whose key, query and body were checked. */
export interface Call<Query, Content> {
  req: Request;
  res: Response;
  query: Query;
  body: Content;
  /** The file that `Accept` asks for, where the route has one; null: JSON. */
  format: ExportFormat | null;
  /** Of the key; a route without a scope has none. */
  readonly shopId: string;
  readonly sender: Sender;
}

type Documented = Readonly<Record<string, Pick<Parameter, 'description' | 'schema'>>>;

/** A route in one place: how it is documented, what it takes, and what it does. */
interface RouteDefinition<Declared extends QueryDeclaration, Content, Deps> extends Omit<
  Operation,
  'parameters' | 'body' | 'itemErrors'
> {
  /** Parameters of the path. */
  params?: Documented;
  query?: Declared;
  headers?: Documented;
  body?: RequestBody<Content>;
  /** Codes of items beyond those that their schema brings. */
  itemRules?: readonly ErrorCode[];
  /** The answer, which is sent as JSON; undefined: it is sent already, or the status 204 is all of it. */
  run: (call: Call<QueryOf<Declared>, Content>, deps: Deps) => unknown;
}

/** What a route works with, for one request: its queries carry the tags that `tagsOf` gives. */
export type DepsFor<Deps> = (tagsOf: () => QueryTags) => Deps;

/** A route of the document that answers once it has what it works with. */
export interface Route<Deps> extends Operation {
  handlers: (depsFor: DepsFor<Deps>, tools: RouteTools) => readonly RequestHandler[];
}

/** A route as Express gets it. */
export interface BoundRoute {
  method: Method;
  path: string;
  handlers: readonly RequestHandler[];
}

/** Before the version there are checks for machines: these take any query. */
const isVersioned = (path: string): boolean => path.startsWith('/v1/');

export function defineRoute<Deps, Declared extends QueryDeclaration, Content>(
  definition: RouteDefinition<Declared, Content, Deps>,
): Route<Deps> {
  const { run, query, params = {}, headers = {}, body, itemRules, ...operation } = definition;
  const { method, path, scope, answers } = operation;
  const isExported = answers[200]?.rows !== undefined;
  const parameters = [
    ...located('path', params),
    ...Object.values(query ?? {}).flatMap((part) => part.parameters),
    ...located('header', headers),
  ];

  const handle = (depsFor: DepsFor<Deps>, tools: RouteTools): RequestHandler => {
    const takesUnknown = !isVersioned(path);
    return answering(
      { query, body, isExported, takesUnknown, exchangeOf, run: (call) => runKnown(call, depsFor) },
      tools,
    );
  };
  const runKnown = async (call: Call<QueryOf<Declared>, Content>, depsFor: DepsFor<Deps>): Promise<unknown> => {
    const { req, res } = call;
    const deps = depsFor(() => tagsOf(req, res));
    const act = async (): Promise<unknown> => await run(call, deps);
    const around = aroundChangeOf(res);
    return around === undefined || isTrial(call.query) ? act() : around(act, hasChanged);
  };

  return {
    ...operation,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { body }),
    ...(body?.itemSchema !== undefined && { itemErrors: itemErrorsOf(body.itemSchema, itemRules) }),
    handlers(depsFor, tools) {
      if (scope === null) return [handle(depsFor, tools)];
      const isRead = scope === 'read' || (scope === 'secret' && method === 'get');
      return [...tools.guards(scope, isRead ? 'reads' : 'writes'), handle(depsFor, tools)];
    },
  };
}

/** Such a request stores nothing, in whatever spelling it asked for that. */
const isTrial = (query: unknown): boolean => fieldsOf(query).validateOnly === true;

/** Every answer that is no refusal, but that of a batch of which nothing was taken. */
const hasChanged = (answer: unknown): boolean => fieldsOf(answer).accepted !== 0;

function located(place: Parameter['in'], documented: Documented): Parameter[] {
  return Object.entries(documented).map(([name, one]) => ({ name, in: place, ...one }));
}

function exchangeOf(req: Request, res: Response) {
  return {
    req,
    res,
    get shopId() {
      return authOf(res).shopId;
    },
    get sender() {
      return senderOf(res);
    },
  };
}

/** A request with what its query and body hold. */
type Asked<Query, Content> = Pick<Call<Query, Content>, 'query' | 'body' | 'format'>;

interface Answering<Declared extends QueryDeclaration, Content, Exchange> {
  query: Declared | undefined;
  body: RequestBody<Content> | undefined;
  isExported?: boolean;
  takesUnknown: boolean;
  /** What is known of a request besides its query and body. */
  exchangeOf: (req: Request, res: Response) => Exchange;
  run: (call: Exchange & Asked<QueryOf<Declared>, Content>) => unknown;
}

/** Reads the query and the body of a request, and sends what `run` gives as JSON; undefined: it is sent already, or 204 is all of it. */
export function answering<
  Declared extends QueryDeclaration,
  Content,
  Exchange extends { req: Request; res: Response; readonly shopId: string },
>(
  { query, body, isExported = false, takesUnknown, exchangeOf, run }: Answering<Declared, Content, Exchange>,
  tools: AnswerTools,
): RequestHandler {
  return async (req, res) => {
    const format = isExported ? formatOf(req, res) : null;
    const { now, keptDays } = tools;
    const asked = readQuery(req, query, { nowMs: now(), keptDays, isExport: format !== null, takesUnknown });
    const exchange = Object.assign(exchangeOf(req, res), { query: asked, format });
    const work = async (content?: Content): Promise<void> => {
      const answer = await run(Object.assign(exchange, { body: content as Content }));
      if (answer !== undefined) res.json(answer);
      else if (!res.headersSent) res.status(204).end();
    };
    await (body === undefined ? work() : body.receive(exchange, tools, work));
  };
}

/** The routes of each resource with what it works with, as Express gets them. */
export function bindRoutes<Deps extends object>(
  resources: { readonly [Name in keyof Deps]: readonly Route<Deps[Name]>[] },
  deps: { readonly [Name in keyof Deps]: DepsFor<Deps[Name]> },
  tools: RouteTools,
): BoundRoute[] {
  const bound: BoundRoute[] = [];
  for (const name in resources) {
    for (const { method, path, handlers } of resources[name]) {
      bound.push({ method, path: path.replace(/\{(\w+)\}/g, ':$1'), handlers: handlers(deps[name], tools) });
    }
  }
  return bound;
}
