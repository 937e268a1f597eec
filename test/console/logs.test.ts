import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { createTicket } from '../../src/console/server/ticket.js';
import { serviceEnvironment } from '../support/service.js';
import { ADMIN_TOKEN, json } from './support.js';

describe('what the API process writes', () => {
  it('holds no key, token, ticket or session, not even at the finest level', async () => {
    const env = { ...process.env, ...(await serviceEnvironment()), ADMIN_TOKEN, LOG_LEVEL: 'trace' };
    const api = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(api, 'exit');
    let written = '';
    api.stderr.on('data', (bytes: Buffer) => (written += bytes.toString()));
    const port = new Promise<number>((resolve) => {
      createInterface(api.stdout).on('line', (line) => {
        written += line;
        const { msg, address } = JSON.parse(line) as { msg: string; address?: { port: number } };
        if (msg === 'listening' && address !== undefined) resolve(address.port);
      });
    });
    try {
      const url = `http://127.0.0.1:${await port}`;
      const ticket = createTicket(ADMIN_TOKEN, Date.now());
      const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
        fetch(url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: url, ...headers },
          body: JSON.stringify(body),
        });
      await send('/app/api/sign-in', { token: `${ADMIN_TOKEN}-wrong` });
      const signedIn = await send('/app/api/sign-in', { ticket });
      expect(signedIn.status).to.equal(204);
      const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const { csrf } = await json(await fetch(`${url}/app/api/session`, { headers: { Cookie: cookie } }));
      const made = await send('/app/api/shops/logs/keys', { kind: 'secret' }, { Cookie: cookie, 'X-CSRF-Token': csrf });
      const { key } = await json(made, 201);
      expect(key).to.match(/^sk_svc_/);
      const pushed = await send('/v1/orders', { orders: [{}] }, { Authorization: `Bearer ${key}` });
      expect(pushed.status).to.be.oneOf([200, 409]);
      await fetch(`${url}/v1/%`, { headers: { Authorization: `Bearer ${key}`, Cookie: cookie } });

      api.kill('SIGTERM');
      await exited;
      expect(written).to.contain('listening');
      for (const secret of [key.slice(7), ADMIN_TOKEN, ticket, cookie.split('=')[1], csrf]) {
        expect(written).to.not.contain(secret);
      }
    } finally {
      api.kill('SIGKILL');
    }
  });
});
