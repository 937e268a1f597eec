import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPorts } from '../../src/embedded/engines/remembered-ports.js';
import { withFolder } from './processes.js';

describe('a file of remembered ports', () => {
  it('is read by name, without what is no port', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'ports.json');
      expect(await readPorts(file)).to.deep.equal({});
      await writeFile(file, JSON.stringify({ http: 8123, tcp: 0, redis: '6379', bi: 1.5 }));
      expect(await readPorts(file)).to.deep.equal({ http: 8123 });
    }));

  it('that is damaged names none', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'ports.json');
      for (const text of ['', '{"http": 81', 'null', '"a"']) {
        await writeFile(file, text);
        expect(await readPorts(file), text).to.deep.equal({});
      }
    }));
});
