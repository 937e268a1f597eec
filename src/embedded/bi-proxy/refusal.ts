import type { ServerResponse } from 'node:http';

/** An error that the proxy answers with, in ClickHouse's form: drivers read the code and show the text. */
export interface Refusal {
  status: number;
  /** Number and name of ClickHouse's own error. */
  code: number;
  name: string;
  text: string;
  headers?: Record<string, string>;
}

export const signInRefused = (user: string): Refusal => ({
  status: 403,
  code: 516,
  name: 'AUTHENTICATION_FAILED',
  text: `${user}: Authentication failed: password is incorrect, or there is no user with such name.`,
});

export const USER_CLOSED: Refusal = {
  status: 403,
  code: 516,
  name: 'AUTHENTICATION_FAILED',
  text: 'This user is closed, because a query of it could not be stopped; the operator opens it with "profit bi open-user".',
};

export const TOO_MANY_SIGN_INS: Refusal = {
  status: 429,
  code: 516,
  name: 'AUTHENTICATION_FAILED',
  text: 'Too many refused sign-ins from this address: wait a minute, and check user and password.',
  headers: { 'Retry-After': '60' },
};

/** Not 401: on the page /play the browser would show its own dialog. */
export const PASSWORD_REQUIRED: Refusal = {
  status: 403,
  code: 194,
  name: 'REQUIRED_PASSWORD',
  text: 'User and password are required: once, by HTTP Basic, by X-ClickHouse-User and X-ClickHouse-Key, or as parameters.',
};

export const TOO_MANY_QUERIES: Refusal = {
  status: 503,
  code: 202,
  name: 'TOO_MANY_SIMULTANEOUS_QUERIES',
  text: 'Too many queries of BI tools are under way; try again shortly.',
  headers: { 'Retry-After': '1' },
};

export const TOO_MANY_OF_USER: Refusal = {
  status: 429,
  code: 202,
  name: 'TOO_MANY_SIMULTANEOUS_QUERIES',
  text: 'This user has 3 queries under way, and this one waited for 30 s or 20 more wait already: send fewer at once.',
  headers: { 'Retry-After': '5' },
};

export const ENGINE_AWAY: Refusal = {
  status: 503,
  code: 210,
  name: 'NETWORK_ERROR',
  text: 'The engine is out of reach or being started anew; try again in a moment.',
  headers: { 'Retry-After': '2' },
};

export const accessDenied = (text: string): Refusal => ({
  status: 403,
  code: 497,
  name: 'ACCESS_DENIED',
  text: `Not enough privileges: ${text}.`,
});

export const badRequest = (text: string, status = 400): Refusal => ({
  status,
  code: 36,
  name: 'BAD_ARGUMENTS',
  text,
});

export const NOT_PLAIN = badRequest('Send the statement as plain text: not compressed, and not as a form.', 415);

/** Answers with a refusal; nothing may have been sent before. */
export function refuse(res: ServerResponse, { status, code, name, text, headers }: Refusal): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(code),
    ...headers,
  });
  res.end(`Code: ${code}. DB::Exception: ${text} (${name})\n`);
}
