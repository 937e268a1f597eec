import { get } from 'node:http';

/**
 * The status and the beginning of the body of a GET, on a connection that does not stay open.
 * Throws when nobody answers within five seconds.
 */
export function httpGet(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal: AbortSignal.timeout(5_000) }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part: string) => (body = (body + part).slice(0, 500)));
      answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}
