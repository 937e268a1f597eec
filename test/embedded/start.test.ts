import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isAlive, processesOf, withFolder } from './processes.js';
import { killNpmStarts, startNpmStart as started } from './npm-start.js';

/** `npm start` and the command line beside it, with the real services. */
describe('npm start', function () {
  this.timeout(600_000);
  afterEach(killNpmStarts);

  it('serves a key made on the command line, and keeps what it was told over a restart', () =>
    withFolder(async (folder) => {
      const first = await started(folder);
      const printed = await first.profit('keys', 'create', '--shop', 'demo', '--kind', 'secret');
      expect(printed).to.match(/^sk_svc_[0-9a-f]{64}\n$/);
      const key = printed.trim();
      const source = { platform: 'test', currency: 'EUR', timezone: 'Europe/Berlin' };
      expect(await first.call('PUT', key, source)).to.deep.include({ status: 200 });
      const begun = Date.now();
      expect(await first.stop(), first.output()).to.equal(0);
      expect(Date.now() - begun).to.be.below(20_000);
      expect(isAlive(first.pid)).to.equal(false);
      expect(processesOf(folder)).to.deep.equal([]);

      const second = await started(folder);
      const { status, body } = await second.call('GET', key);
      expect(status).to.equal(200);
      expect(body).to.include(source);
      expect(await second.stop()).to.equal(0);
      const said = readFileSync(join(folder, 'clickhouse', 'clickhouse.err.log'), 'utf8');
      expect(said, 'no start asks the engine for what it must refuse').to.not.include('ACCESS_DENIED');
      expect(processesOf(folder)).to.deep.equal([]);
    }));
});
