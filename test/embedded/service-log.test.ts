import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLogFile } from '../../src/telemetry/log-files.js';
import { createServiceLog } from '../../src/embedded/supervisor/service-log.js';
import { withFolder } from './processes.js';

const terminal = () => {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out,
    err,
    terminal: { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) },
  };
};

describe('logs of the supervised processes', () => {
  it('go to a file whole, and to the terminal from warnings on', () =>
    withFolder((folder) => {
      const { out, err, terminal: at } = terminal();
      const log = createServiceLog('api', folder, at);
      const lines = [
        '{"level":30,"time":1,"msg":"listening"}',
        '{"level":40,"time":2,"msg":"slow \\"level\\":60"}',
        '{"level":50,"time":3,"err":{"type":"Error","message":"ECONNREFUSED"},"msg":"no Redis"}',
        '{"level":30,"time":4,"msg":"said {\\"level\\":50}"}',
        'plain text',
      ];
      log.write(`${lines.join('\n')}\n`, 'stdout');
      log.write('Error: boom\n    at main.js:1\n', 'stderr');
      log.close();
      expect(out).to.deep.equal([]);
      expect(err).to.deep.equal([
        '[api] warning: slow "level":60',
        '[api] error: no Redis: ECONNREFUSED',
        '[api] Error: boom',
        '[api]     at main.js:1',
      ]);
      expect(readFileSync(join(folder, 'api.log'), 'utf8')).to.equal(
        `${lines.join('\n')}\nError: boom\n    at main.js:1\n`,
      );
      return Promise.resolve();
    }));

  it('go to standard output as they are where no folder is given', () => {
    const { out, err, terminal: at } = terminal();
    createServiceLog('api', undefined, at).write('{"level":50,"msg":"x"}\n', 'stdout');
    expect({ out, err }).to.deep.equal({ out: ['{"level":50,"msg":"x"}'], err: [] });
  });

  it('are told on the terminal, and end nothing, where the disk has no room for them', function () {
    if (process.platform !== 'linux') this.skip();
    return withFolder((folder) => {
      symlinkSync('/dev/full', join(folder, 'api.log'));
      const { err, terminal: at } = terminal();
      const log = createServiceLog('api', folder, at);
      log.write('{"level":50,"msg":"no room"}\n', 'stdout');
      log.close();
      expect(err).to.deep.equal(['[api] error: no room']);
      return Promise.resolve();
    });
  });

  it('are rotated by size, and only so many are kept', () =>
    withFolder((folder) => {
      const file = openLogFile(folder, 'api', 100, 2);
      for (let n = 0; n < 20; n++) file.write(`${String(n).padStart(49, '0')}\n`);
      file.close();
      expect(readdirSync(folder).sort()).to.deep.equal(['api.1.log', 'api.2.log', 'api.log']);
      const numbers = ['api.2', 'api.1', 'api'].flatMap((name) =>
        readFileSync(join(folder, `${name}.log`), 'utf8')
          .trim()
          .split('\n')
          .map(Number),
      );
      expect(numbers.at(-1)).to.equal(19);
      expect(numbers).to.deep.equal(numbers.map((_, index) => 20 - numbers.length + index));
      return Promise.resolve();
    }));
});
