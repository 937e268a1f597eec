import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPorts } from '../../src/embedded/engines/kept-ports.js';
import { privateFolder } from '../../src/embedded/engines/files.js';
import { handOverBiPort } from '../../src/embedded/supervisor/kept-service-ports.js';
import { withFolder } from './processes.js';

describe('a file of kept ports', () => {
  it('is read by name, without what is no port', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'ports.json');
      expect(await readPorts(file)).to.deep.equal({});
      await writeFile(file, JSON.stringify({ http: 8123, tcp: 0, redis: '6379', bi: 1.5 }));
      expect(await readPorts(file)).to.deep.equal({ http: 8123 });
    }));

  it('that is damaged names none, also where the port of the BI tools is handed over', () =>
    withFolder(async (folder) => {
      await privateFolder(join(folder, 'clickhouse'));
      for (const text of ['', '{"http": 81', 'null', '"a"']) {
        await writeFile(join(folder, 'clickhouse', 'ports.json'), text);
        await handOverBiPort(folder);
        expect(await readPorts(join(folder, 'clickhouse', 'ports.json')), text).to.deep.equal({});
      }
    }));
});
