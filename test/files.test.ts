import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePrivate } from '../src/files.js';
import { withFolder } from './embedded/processes.js';

describe('a private file', () => {
  it('is replaced as a whole, for its owner alone', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'a');
      await writePrivate(path, 'first');
      await writePrivate(path, 'second');
      expect(await readFile(path, 'utf8')).to.equal('second');
      expect((await stat(path)).mode & 0o777).to.equal(0o600);
      expect(await readdir(folder)).to.deep.equal(['a']);
    }));

  it('that can’t be written leaves nothing behind', () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, 'taken', 'by a folder'), { recursive: true });
      const failed = await writePrivate(join(folder, 'taken'), 'text').catch((error: unknown) => error);
      expect(failed).to.be.instanceOf(Error);
      expect(await readdir(folder)).to.deep.equal(['taken']);
    }));
});
