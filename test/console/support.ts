import { expect } from 'chai';
import type { Service } from '../support/service.js';
import { fetchApp } from './answers.js';

export const ADMIN_TOKEN = 'the-token-of-the-tests-0123456789';
let addresses = 0;

/** The body of an answer that must have the status. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into any answer
export async function json(answer: Response, status = 200): Promise<any> {
  const body: unknown = await answer.json();
  expect(answer.status, JSON.stringify(body)).to.equal(status);
  return body;
}

/** The code of a refusal with its status, such as `403 csrf_token`. */
export async function refusalOf(answer: Response): Promise<string> {
  const { errors } = (await answer.json()) as { errors: { code: string }[] };
  return `${answer.status} ${errors[0]?.code ?? ''}`;
}

/** The environment of a service whose operator can sign in; the client's address is taken from `X-Forwarded-For`. */
export const OPERATOR_ENV = { ADMIN_TOKEN, TRUSTED_PROXIES: '1' };

/** A browser of the operator's or of a person, as far as the server can tell one. */
export interface Operator {
  cookie: string;
  csrf: string;
  get(path: string): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

/** An address of a network from which nothing was tried before. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(process.pid + Math.floor(addresses / 250)) % 250}.${addresses % 250}.1`;
}

export function trySignIn(
  service: Pick<Service, 'url'>,
  proof: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetchApp(`${service.url}/app/api/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url, ...headers },
    body: JSON.stringify(proof),
  });
}

/** The status of a sign-in. A try and its hash may take long on a busy machine: no minute of a limit ends meanwhile. */
export async function statusOfTry(
  service: Pick<Service, 'url' | 'stores'>,
  proof: unknown,
  headers: Record<string, string>,
): Promise<number> {
  const { status } = await trySignIn(service, proof, headers);
  const { redis } = service.stores;
  for (const key of await redis.keys('limit:*')) await redis.expire(key, 3_600);
  return status;
}

export async function signInAsOperator(service: Pick<Service, 'url'>): Promise<Operator> {
  const answer = await trySignIn(service, { token: ADMIN_TOKEN }, { 'X-Forwarded-For': freshAddress() });
  return signedIn(service, answer);
}

let people = 0;
/** The password of everybody in tests. */
export const PASSWORD = 'a password of the tests';

interface Rights {
  role: string;
  shops: readonly string[] | null;
}

/** Invites a person of a fresh name, who joins. */
export async function joinAs(
  service: Pick<Service, 'url'>,
  operator: Operator,
  rights: Rights,
): Promise<Operator & { name: string; id: string }> {
  const name = `Person ${process.pid} ${++people}`;
  const { code, person } = await json(await operator.post('/app/api/people', { name, ...rights }), 201);
  const client = await signedIn(service, await join(service, { code, name, password: PASSWORD }));
  return { ...client, name, id: person.person_id };
}

/** Uses the code of an invitation. */
export const join = (service: Pick<Service, 'url'>, body: unknown, address = freshAddress()): Promise<Response> =>
  fetchApp(`${service.url}/app/api/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url, 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  });

/** The client of a session that an answer has begun. */
export async function signedIn(service: Pick<Service, 'url'>, answer: Response): Promise<Operator> {
  expect(answer.status).to.equal(204);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const get = (path: string) => fetchApp(service.url + path, { headers: { Cookie: cookie }, redirect: 'manual' });
  const { csrf } = (await (await get('/app/api/session')).json()) as { csrf: string };
  const send = (method: string, path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    fetchApp(service.url + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Origin: service.url,
        Cookie: cookie,
        'X-CSRF-Token': csrf,
        ...headers,
      },
      body: JSON.stringify(body),
    });
  return { cookie, csrf, get, send, post: (path, body, headers) => send('POST', path, body, headers) };
}
