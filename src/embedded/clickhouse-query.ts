import { request } from 'node:http';

/** Where the engine answers over HTTP, and as whom. */
export interface ClickHouseAddress {
  url: string;
  username: string;
  password: string;
}

/**
 * Runs one statement over HTTP on a connection of its own (an idle one would hold up the engine's stop); resolves to the
 * answer's text.
 * Throws when the engine refuses it, when nobody answers, and after `ms`.
 */
export function clickHouseQuery(at: ClickHouseAddress, sql: string, ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-ClickHouse-User': at.username, 'X-ClickHouse-Key': at.password };
    const sent = request(
      at.url,
      { method: 'POST', agent: false, headers, signal: AbortSignal.timeout(ms) },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString().trim();
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(text));
        });
      },
    );
    sent.on('error', reject);
    sent.end(sql);
  });
}
