import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Where the engine answers over HTTP, and as whom. */
export interface ClickHouseAddress {
  url: string;
  username: string;
  password: string;
}

/**
 * Runs one statement over HTTP and resolves to the answer's text.
 * Throws when the engine refuses it, when no one answers, when the answer breaks off, and after `ms`.
 */
export async function clickHouseQuery(
  { url, username, password }: ClickHouseAddress,
  sql: string,
  ms: number,
): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Without an agent the connection ends with its answer: an idle one would hold up the engine's stop. `fetch` takes an answer on
    // such a connection for whole where it broke off (findings/cut-answers-that-look-whole.sh).
    request(url, {
      method: 'POST',
      auth: `${username}:${password}`,
      agent: false,
      signal: AbortSignal.timeout(ms),
    })
      .on('response', resolve)
      .on('error', reject)
      .end(sql);
  });
  const body = (await text(answer)).trim();
  if (answer.statusCode !== 200) throw new Error(body);
  return body;
}
