import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { isIntact, readLines, writeLines } from '../../../src/cli/backup/files.js';
import { restoredText } from '../../../src/cli/commands/backup-command.js';
import { inTurns } from '../../../src/operations/copy/in-turns.js';
import { filesOf, FORMAT, readManifest, writeManifest, type Manifest } from '../../../src/cli/backup/manifest.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const LISTED = { parts: [], lists: 0, list: [], gone: [] };
const WHOLE: Manifest = {
  format: FORMAT,
  id: 'one',
  made_at: '2026-03-01T10:00:00.000Z',
  deployment: 'here',
  release: '1.2.3',
  migrations: { '001_orders.sql': 'a' },
  stamp: 1_700_000_000_000_000,
  queues: [],
  state: [],
  tables: [{ name: 'orders', rows: '1', hash: '18446744073709551615', chunks: [], ...LISTED }],
};

describe('the folder of a backup', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('manifest');
  });

  const refusal = async (text?: string): Promise<string> => {
    if (text !== undefined) await writeFile(join(folder, 'manifest.json'), text);
    return readManifest(folder).then(
      () => 'none',
      (error: unknown) => String(error).replace(folder, 'FOLDER'),
    );
  };

  it('of an increment restores the rows of the backups before it too, and says how many', () => {
    const tables = [{ name: 'orders', rows: '1234', hash: '1', chunks: [], ...LISTED, is_increment: true }];
    expect(restoredText({ ...WHOLE, tables })).to.equal('1,234 rows and 0 jobs are restored');
  });

  it('gives the manifest that was written, in a file that nobody else reads', async () => {
    await writeManifest(folder, WHOLE);
    expect(await readManifest(folder)).to.deep.equal(WHOLE);
    expect((await stat(join(folder, 'manifest.json'))).mode & 0o777).to.equal(0o600);
  });

  it('gives the files of each shard a name of their own', () => {
    const chunks = [{ rows: 1, bytes: 1, sha256: 'a'.repeat(64) }];
    const tables = [1, 2].map((shard) => ({ name: 'orders', shard, rows: '1', hash: '1', chunks, ...LISTED }));
    expect(filesOf({ ...WHOLE, shards: 2, tables }).map(({ file }) => file)).to.deep.equal([
      join('tables', 'orders', '000001.native.gz'),
      join('tables-2', 'orders', '000001.native.gz'),
    ]);
  });

  it('refuses a folder without a manifest, a damaged one, and one of another release', async () => {
    expect(await refusal()).to.match(/^BackupError: FOLDER holds no whole backup/);
    expect(await refusal('{"format": 1')).to.match(/is damaged/);
    expect(await refusal(JSON.stringify({ ...WHOLE, format: FORMAT + 1 }))).to.match(/of a later release/);
    expect(await refusal(JSON.stringify({ ...WHOLE, format: FORMAT - 1 }))).to.match(/of an earlier release/);
    const tables = [{ name: '../etc/passwd', rows: '1', hash: '1', chunks: [], ...LISTED }];
    expect(await refusal(JSON.stringify({ ...WHOLE, tables }))).to.match(/is damaged: tables\[0\]\.name/);
  });

  it('keeps lines of any size, and tells a file that is not what was written', async () => {
    const values = [{ id: 'a' }, 'x'.repeat(300_000), [1, null]];
    const file = join(folder, 'state', 'lines.ndjson.gz');
    const written = await writeLines(
      file,
      (async function* () {
        yield* await Promise.resolve(values);
      })(),
    );
    expect(written.entries).to.equal(3);
    const read: unknown[] = [];
    for await (const value of readLines(file)) read.push(value);
    expect(read).to.deep.equal(values);
    expect(await isIntact(file, written)).to.equal(true);
    await writeFile(file, 'another');
    expect(await isIntact(file, written)).to.equal(false);
  });
});

describe('work in turns', () => {
  it('keeps the order of the results and begins nothing after a failure', async () => {
    expect(await inTurns([3, 1, 2], 2, (n) => Promise.resolve(n * 10))).to.deep.equal([30, 10, 20]);
    const begun: number[] = [];
    const fail = (n: number): Promise<void> => {
      begun.push(n);
      return n === 1 ? Promise.reject(new Error('one')) : Promise.resolve();
    };
    const failure = await inTurns([1, 2, 3, 4], 1, fail).then(
      () => null,
      (error: unknown) => error,
    );
    expect(String(failure)).to.equal('Error: one');
    expect(begun).to.deep.equal([1]);
  });
});
