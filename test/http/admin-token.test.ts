import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ConfigError, loadConfig } from '../../src/config.js';
import { readSupervisorConfig } from '../../src/embedded/supervisor/supervisor-config.js';
import { startService } from '../support/service.js';

describe('an admin token', () => {
  it('of fewer than 24 characters is refused at the start, with its length', () => {
    for (const load of [loadConfig, readSupervisorConfig]) {
      const refused =
        'configuration: ADMIN_TOKEN has 23 characters and must have 24 or more, such as openssl rand -hex 24 makes';
      expect(() => load({ ADMIN_TOKEN: 'x'.repeat(23) })).to.throw(ConfigError, refused);
      expect(load({ ADMIN_TOKEN: 'x'.repeat(24) }).adminToken).to.equal('x'.repeat(24));
      expect(load({ ADMIN_TOKEN: '' }).adminToken).to.equal(undefined);
    }
  });
});

describe('a request with a header twice', () => {
  it('is refused where the two could mean two things', async () => {
    const service = await startService({ workers: false });
    const { port } = new URL(service.url);
    const answerTo = (...headers: string[]): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET /healthz HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      return text(socket);
    };
    expect(await answerTo('Host: a', 'Authorization: Bearer x', 'Accept: a', 'Accept: b')).to.match(/^HTTP\/1\.1 200 /);
    for (const [name, headers] of [
      ['Host', ['Host: a', 'hOST: a']],
      ['Authorization', ['Host: a', 'Authorization: Bearer x', 'authorization: Bearer y']],
    ] as const) {
      const answer = await answerTo(...headers);
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      expect(answer).to.contain(`"message":"The request has more than one ${name} header; send one."`);
    }
    await service.stop();
  });
});
