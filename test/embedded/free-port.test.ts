import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { freePort } from '../../src/embedded/engines/free-port.js';

const DRAWN = 500;

describe('a free port', () => {
  it('is given once, although nobody listens on those given before', async () => {
    const ports = new Set<number>();
    for (let i = 0; i < DRAWN; i++) ports.add(await freePort());
    expect(ports.size).to.equal(DRAWN);
    for (const port of ports) expect(port).to.be.within(20_000, 31_999);
  });

  it('is not one on which somebody listens', async () => {
    const before = await freePort();
    const server = createServer().listen(before + 1, '127.0.0.1');
    await once(server, 'listening');
    try {
      expect(await freePort()).to.not.equal(before + 1);
    } finally {
      server.close();
    }
  });

  it('is looked for from a place of its own in each process', async () => {
    const script = `
      import { freePort } from './src/embedded/engines/free-port.ts';
      console.log(await freePort());`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const drawn = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, args)));
    expect(new Set(drawn.map(({ stdout }) => stdout)).size).to.be.above(1);
  });
});
