import Type, { type TSchema } from 'typebox';
import { APP_ROUTES } from '../../src/console/server/routes.js';
import { VIEWS } from '../../src/console/server/share.js';
import { ERROR_CATALOGUE, type AnyErrorCode } from '../../src/error-catalogue.js';
import type { ErrorDetail } from '../../src/errors.js';
import { requestErrors } from '../../src/http/openapi/request-errors.js';
import { ErrorBody } from '../../src/schemas/errors.js';
import { closed } from '../../src/schemas/primitives.js';
import { validator, type Validator } from '../../src/schemas/validator.js';
import { checkAnswer, operationOf, type ObservedAnswer } from '../support/document.js';

/** Of a path that is none, or has another method, or whose parts are not encoded. */
const OF_NO_ROUTE: readonly AnyErrorCode[] = ['not_found', 'method_not_allowed', 'invalid_request', 'sign_in_off'];
const ROUTES = APP_ROUTES.map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+').replace('*rest', '.+')}$`),
}));

const { errors, ...rest } = ErrorBody.properties;
const Fault = Type.Object({ ...errors.items.properties, code: Type.Enum(Object.keys(ERROR_CATALOGUE)) }, closed);
/** The body of every refusal; the app has codes beyond those of the API, and each route names its own. */
const Refusal = Type.Object({ ...rest, errors: Type.Array(Fault, { minItems: 1 }) }, closed);

const compiled = new Map<TSchema, Validator<unknown>>();
function faultsOf(schema: TSchema, text: string): string[] {
  let check = compiled.get(schema);
  if (check === undefined) compiled.set(schema, (check = validator(schema, 'The answer')));
  return check.check(JSON.parse(text)).map(({ message }) => message);
}

/** `fetch` of what the app asks for. Throws when the answer is none that its route declares. */
export async function fetchApp(url: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(url, init);
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  const text = isJson ? await answer.clone().text() : '';
  const { status, headers } = answer;
  checkAppAnswer(init.method ?? 'GET', url.replace(/^\w+:\/\/[^/]+/, ''), { status, headers, text });
  return answer;
}

/** The request of the API that a request of the app is sent on as; undefined: it is the app's own. */
function sentOn(path: string): string | undefined {
  const [, view = ''] = /^\/app\/api\/share\/(\w+)$/.exec(path) ?? [];
  return VIEWS.get(view)?.('') ?? /^\/app\/api\/shops\/[^/]+(?:\/csv)?(\/v1\/.+)/.exec(path)?.[1];
}

/** Checks an answer against what the route of the app declares for its status, or the document where the API gives it. */
export function checkAppAnswer(method: string, target: string, answer: ObservedAnswer): void {
  const [path = ''] = target.split('?');
  if (!path.startsWith('/app/api/')) return;
  const { status, headers, text } = answer;
  const ofApi = sentOn(path);
  if (status < 400 && status !== 204 && ofApi !== undefined) {
    checkAnswer(method, ofApi, answer);
    return;
  }
  const route = ROUTES.find((one) => one.method === method.toLowerCase() && one.pattern.test(path));
  const { answers = {}, errors: own = OF_NO_ROUTE } = route ?? {};
  const isBare = Object.keys(answers).length === 0;
  const schema = status >= 400 ? Refusal : answers[status];
  // What has no schema is a file, or nothing.
  const isFree = isBare && (status === 204 || headers.get('content-type')?.includes('json') === false);
  const faults = schema === undefined ? (isFree ? [] : ['The route does not declare it.']) : faultsOf(schema, text);
  if (status >= 400) {
    const operation = ofApi === undefined ? undefined : operationOf(method, ofApi);
    const codes = [...own, ...(operation === undefined ? [] : [...requestErrors(operation).values()].flat())];
    const { errors: given } = JSON.parse(text) as { errors: ErrorDetail<AnyErrorCode>[] };
    for (const { code } of given) if (!codes.includes(code)) faults.push(`The route does not name ${code}.`);
  }
  if (faults.length === 0) return;
  throw new Error(`${method} ${target} answered ${status}: ${faults.join(' ')}\n${text.slice(0, 2_000)}`);
}
