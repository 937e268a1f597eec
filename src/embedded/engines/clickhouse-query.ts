/** Where the engine answers over HTTP, and as whom. */
export interface ClickHouseAddress {
  url: string;
  username: string;
  password: string;
}

/**
 * Runs one statement over HTTP and resolves to the answer's text.
 * Throws when the engine refuses it, when no one answers, and after `ms`.
 */
export async function clickHouseQuery(
  { url, username, password }: ClickHouseAddress,
  sql: string,
  ms: number,
): Promise<string> {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const answer = await fetch(url, {
    method: 'POST',
    body: sql,
    // An idle connection would hold up the engine's stop.
    headers: { Authorization: `Basic ${credentials}`, Connection: 'close' },
    signal: AbortSignal.timeout(ms),
  });
  const text = (await answer.text()).trim();
  if (!answer.ok) throw new Error(text);
  return text;
}
