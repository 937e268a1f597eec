import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { rateText, readEcbRates } from '../../../src/cli/import/ecb-rates.js';
import { runImportRates } from '../../../src/cli/import/import-rates.js';
import { runCommand } from '../../support/command.js';
import { useService, useShop } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const CSV = `Date,USD,JPY,CYP,GBP,\n2026-03-03,1.0850,162.35,N/A,0.8300,\n2026-03-02,1.0849,N/A,0.5842,0.8299,\n`;

describe('profit import rates', () => {
  const folder = temporaryFolder('rates');
  const file = join(folder, 'eurofxref-hist.csv');
  const service = useService();
  const shop = useShop(service, { timezone: 'UTC' });

  before(() => {
    service.startWorkers();
    writeFileSync(file, CSV);
  });

  it('crosses over the euro, rounded once at the 12th decimal', () => {
    expect([...readEcbRates(CSV, 'USD')]).to.deep.equal([
      { currency: 'EUR', day: '2026-03-03', rate: '1.085000000000' },
      { currency: 'JPY', day: '2026-03-03', rate: '0.006683092085' }, // 1.085 ÷ 162.35 = 0.00668309208500…
      { currency: 'GBP', day: '2026-03-03', rate: '1.307228915663' }, // 1.085 ÷ 0.83 = 1.30722891566265…
      { currency: 'EUR', day: '2026-03-02', rate: '1.084900000000' },
      { currency: 'GBP', day: '2026-03-02', rate: '1.307265935655' }, // 1.0849 ÷ 0.8299 = 1.3072659356549…
    ]);
    expect(() => [...readEcbRates(CSV, 'CHF')]).to.throw('no rates of CHF');
    expect(() => [...readEcbRates('a,b\n', 'EUR')]).to.throw('eurofxref-hist.csv');
  });

  it('reads the file in a zip too', () => {
    const packed = deflateRawSync(CSV);
    const local = Buffer.alloc(30 + 5, 'x');
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(5, 26);
    local.writeUInt16LE(0, 28);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    expect(rateText(Buffer.concat([local, packed, central]))).to.equal(CSV);
    expect(rateText(gzipSync(CSV))).to.equal(CSV);
    expect(() => rateText(local)).to.throw('damaged');
  });

  it('sends those from a day on, where one is given', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const own = await service.shop({ timezone: 'UTC', currency: 'USD' });
    const options = { file, stdin: Readable.from([]), stdout, stderr, url: service.url, key: own.key };
    const { signal } = new AbortController();
    expect(await runImportRates({ ...options, from: '2026-03-03', signal })).to.equal(0);
    expect(String(stdout.read())).to.equal('accepted  3\nrejected  0\n');
    await service.settled();
    const { body } = await own.call('GET', '/v1/rates');
    expect(body.rates.map(({ day }: { day: string }) => day)).to.deep.equal(['2026-03-03', '2026-03-03', '2026-03-03']);
    const flags = ['import', 'rates', file, '--from', '3.3.2026', '--key', own.key];
    expect((await runCommand(flags, process.env)).err).to.contain('It must be a day such as 2026-01-01.');
  });

  it('sends them in the currency of the shop', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const { signal } = new AbortController();
    const stdin = Readable.from([]);
    expect(await runImportRates({ file, stdin, stdout, stderr, url: service.url, key: shop.key, signal })).to.equal(0);
    expect(String(stdout.read())).to.equal('accepted  5\nrejected  0\n');
    await service.settled();
    const { body } = await shop.call('GET', '/v1/rates?currency=USD');
    expect(body.rates.map(({ rate }: { rate: string }) => rate)).to.deep.equal(['0.921743939534', '0.921658986175']);
  });
});
