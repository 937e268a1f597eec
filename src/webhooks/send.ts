import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { isPublicAddress, resolveHost, type Address, type Resolve } from './addresses.js';

/** A message, and with what it is signed (Standard Webhooks). */
export interface WebhookMessage {
  url: string;
  /** `whsec_…` */
  secret: string;
  /** The same in each attempt, so that a receiver knows a message again. */
  id: string;
  payload: string;
}

export type Outcome = { status: number } | { problem: string };
/** Sends it once. Resolves whatever happens. */
export type SendWebhook = (message: WebhookMessage) => Promise<Outcome>;

export interface SendOptions {
  /** Whether addresses of the private network and plain HTTP may be used. */
  allowPrivate: boolean;
  resolve?: Resolve;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** Of an answer, which is not read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** What is wrong with the address of a webhook; undefined: nothing that can be known before it is asked. */
export function urlFault(text: string, allowPrivate: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && !(allowPrivate && url?.protocol === 'http:'))
    return 'must be an address that starts with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  return undefined;
}

/** The name is looked up once, and exactly the address that was checked is connected to. No redirect is followed. */
export function createSendWebhook({ allowPrivate, resolve = resolveHost, timeoutMs }: SendOptions): SendWebhook {
  return async ({ url: text, secret, id, payload }) => {
    const deadline = AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS);
    try {
      const fault = urlFault(text, allowPrivate);
      if (fault !== undefined) return { problem: `The address ${fault}.` };
      const url = new URL(text);
      const found = await inTime(resolve(url.hostname.replace(/^\[|\]$/g, '')), deadline);
      const [address] = found;
      if (address === undefined) return { problem: 'The host has no address.' };
      if (!allowPrivate && !found.every((one) => isPublicAddress(one.address)))
        return { problem: 'The host has an address of a private network.' };
      const sentAt = new Date();
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'profit-metrics',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, sentAt, payload),
      };
      return { status: await post(url, address, { headers, payload, deadline }) };
    } catch (error) {
      return { problem: deadline.aborted ? 'There was no answer in time.' : problemOf(error) };
    }
  };
}

interface Post {
  headers: Record<string, string>;
  payload: string;
  deadline: AbortSignal;
}

function post(url: URL, { address, family }: Address, { headers, payload, deadline }: Post): Promise<number> {
  const lookup: LookupFunction = (_host, options, done) => {
    if (options.all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A kept connection would be one to an address of before.
    const sent = request(url, { method: 'POST', headers, lookup, agent: false, signal: deadline }, (answer) => {
      resolve(answer.statusCode ?? 0);
      // What follows is read so that the sender can end, but not for long.
      let left = MAX_ANSWER_BYTES;
      answer.on('error', () => undefined);
      answer.on('data', (bytes: Buffer) => {
        left -= bytes.length;
        if (left < 0) answer.destroy();
      });
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

function inTime<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error('out of time')), { once: true });
    work.then(resolve, reject);
  });
}

/** Codes such as ECONNREFUSED say all that helps; texts may name addresses. */
function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,60}$/.test(code) ? `It could not be reached (${code}).` : 'It could not be reached.';
}
