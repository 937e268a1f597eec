import { get, type Agent } from 'node:http';

/** One `GET` with a key on a kept connection, read to its end. Throws for another status than 200. */
export function read(url: string, key: string, agent: Agent, accept = 'application/json'): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}`, accept } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} was answered with ${response.statusCode}`));
      response.resume();
      response.on('end', resolve);
    }).on('error', reject);
  });
}
