import { createServer, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { clickHouseQuery } from '../../src/embedded/engines/clickhouse-query.js';
import { listening } from '../support/listening.js';

/** What a statement gives when a server answers so. */
async function asked(answer: (res: ServerResponse) => void): Promise<string> {
  const server = await listening(
    createServer((req, res) => {
      req.resume().once('end', () => answer(res));
    }),
  );
  const { url } = server;
  const given = await clickHouseQuery({ url, username: 'profit', password: 'secret' }, 'SELECT 1', 60_000).catch(
    (error: unknown) => String(error),
  );
  await server.stop();
  return given;
}

describe('a statement for the embedded engine', () => {
  it("gives the answer's text, without the last line's end", async () => {
    expect(await asked((res) => res.end('file\nurl\n'))).to.equal('file\nurl');
  });

  it('fails with what the engine says', async () => {
    expect(await asked((res) => res.writeHead(403).end('Code: 497. Not enough privileges.\n'))).to.equal(
      'Error: Code: 497. Not enough privileges.',
    );
  });

  it('fails when its answer breaks off, so that a list is never taken for a shorter one', async () => {
    const given = await asked((res) => {
      res.write('file\n', () => res.destroy());
    });
    expect(given).to.contain('aborted');
  });
});
