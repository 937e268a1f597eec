import { connect } from 'node:net';

/** Where a Redis answers. */
export interface RedisAddress {
  host: string;
  port: number;
  password: string;
}

/**
 * Sends one command without arguments that need quoting (`PING`, `CLIENT LIST`) and resolves to the answer as the protocol
 * spells it, such as `+PONG`; '' when the server closed the connection instead of answering.
 * Throws when nobody listens, when the password is refused, and after `ms`.
 */
export function redisCommand(at: RedisAddress, command: string, ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: at.host, port: at.port });
    let answer = '';
    socket.setTimeout(ms, () => socket.destroy(new Error(`no answer from Redis within ${ms} ms`)));
    socket.on('error', reject);
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.on('close', () => {
      const [signedIn, ...lines] = answer.split('\r\n');
      if (signedIn !== '+OK') reject(new Error(`Redis refused the password: ${signedIn ?? ''}`));
      // The last answer is that to QUIT.
      else resolve(lines.slice(0, -2).join('\r\n'));
    });
    socket.write(`AUTH ${at.password}\r\n${command}\r\nQUIT\r\n`);
  });
}
