import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { firstCalls } from '../../src/console/web/developers/commands.js';
import { PROGRAMS } from '../../src/console/web/developers/programs.js';
import { useService } from '../support/service.js';

const run = promisify(execFile);

/** How a program is run, given its text. There is no PHP where the tests run. */
const RUNS: Readonly<Record<string, (text: string) => [file: string, args: string[]]>> = {
  curl: (text) => ['/bin/sh', ['-c', text.replaceAll('curl ', 'curl -sS ')]],
  JavaScript: (text) => [process.execPath, ['--input-type=module', '--eval', text]],
  Python: (text) => ['/usr/bin/python3', ['-c', text]],
};

describe('the programs of the quick start', () => {
  const service = useService();

  for (const [language, command] of Object.entries(RUNS))
    it(`register a shop and push an order: ${language}`, async () => {
      const name = `first-${language.toLowerCase()}`;
      const key = await service.key(name);
      const calls = firstCalls({ currency: null }, new Date());
      const [file, args] = command(PROGRAMS[language]?.(calls, service.url) ?? '');
      const { stdout } = await run(file, args, { env: { PATH: process.env.PATH, PROFIT_KEY: key } });
      expect(stdout).to.contain('"timezone":"UTC"').and.contain('"accepted":1,"rejected":0');
      expect((await service.call('GET', '/v1/source', { key })).body).to.include({ currency: 'EUR', timezone: 'UTC' });
    });

  it('are as many as the languages of the page', () => {
    expect(Object.keys(PROGRAMS)).to.deep.equal([...Object.keys(RUNS), 'PHP']);
  });
});
