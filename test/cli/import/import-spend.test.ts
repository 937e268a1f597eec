import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { runImportSpend } from '../../../src/cli/import/import-spend.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('profit import spend --dry-run', () => {
  const file = join(temporaryFolder('spend'), 'spend.csv');
  const run = async (content: string | Buffer, currency?: string) => {
    writeFileSync(file, content);
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const exit = await runImportSpend({
      file,
      url: '',
      key: '',
      dryRun: true,
      decisions: {},
      currency,
      stdin: Readable.from([]),
      stdout,
      stderr,
      signal: new AbortController().signal,
    });
    return { exit, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  };

  it('shows how each column of an export is read, and what is wrong, and needs no service', async () => {
    const { exit, out } = await run(
      gzipSync('Day,Campaign,Campaign ID,Cost,Impr.\n2026-10-01,A,1,"1,234",5\n2026-10-02,A,1,2.50,5\nTotal,,,3,10'),
      'EUR',
    );
    expect(exit).to.equal(2);
    expect(out).to.contain('Read as an export of Google:').and.to.contain('spend           column "Cost"');
    expect(out)
      .to.contain('currency        EUR')
      .and.to.contain('1 lines of totals')
      .and.to.contain('not read        Impr.');
    expect(out)
      .to.match(/rows {6}1\nwrong {5}1\n/)
      .and.to.contain('say --decimal comma');
  });

  it('takes columns of the API, and names those that it found where it knows none', async () => {
    const own = await run(
      'event_date;channel;spend;currency;campaign_id\n2026-10-01;Radio;5;EUR;1.2E+17\n2026-10-01;Radio;5;EUR;7',
    );
    expect([own.exit, own.out]).to.satisfy(
      ([exit, out]: [number, string]) => exit === 2 && out.includes('rows      1'),
    );
    expect((await run('Datum,Betrag\n1,2')).err).to.contain('found: Datum, Betrag');
  });
});
