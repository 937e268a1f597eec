import { connect } from 'node:net';

/** Where a Redis of this machine answers. */
export interface RedisAddress {
  host: string;
  port: number;
  password: string;
}

/**
 * Sends one command without arguments that need quoting (`PING`, `SHUTDOWN NOSAVE`) and resolves to the answer's first
 * line, such as `+PONG`, or '' when the server closed the connection instead of answering.
 * Throws when nobody listens, when the password is refused, and after `ms`.
 */
export function redisCommand(at: RedisAddress, command: string, ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: at.host, port: at.port });
    let answer = '';
    const finish = (settle: () => void) => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(ms, () => finish(() => reject(new Error(`no answer from Redis within ${ms} ms`))));
    socket.on('error', (error) => finish(() => reject(error)));
    socket.on('close', () => resolve(''));
    socket.on('data', (part: Buffer) => {
      answer += part.toString();
      const [signedIn, ...lines] = answer.split('\r\n');
      if (lines.length === 0) return;
      if (signedIn !== '+OK') finish(() => reject(new Error(`Redis refused the password: ${signedIn}`)));
      else if (lines.length > 1) finish(() => resolve(lines[0] ?? ''));
    });
    socket.write(`AUTH ${at.password}\r\n${command}\r\n`);
  });
}
