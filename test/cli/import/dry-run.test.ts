import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { runDryRun } from '../../../src/cli/import/platform/dry-run.js';
import { fieldsOf, type Fields } from '../../../src/domain/fields.js';
import { casesOf } from '../../convert/cases.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const orderOf = (name: string): Fields => fieldsOf(casesOf('shopify').find((one) => one.name === name)?.input.order);
const files = (content: string) => ({
  file: '-',
  stdin: Readable.from([Buffer.from(content)]),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  signal: new AbortController().signal,
});

describe('profit import --dry-run', () => {
  it('tells how many convert, the holds with their amounts, and the months', async () => {
    const orders = [
      'tax-added',
      'gift-card-sold-alone',
      'refund-without-lines',
      'does-not-add-up',
      'test-order',
      'authorized',
    ];
    const content = orders.map((name) => JSON.stringify(orderOf(name))).join('\n');
    const file = join(temporaryFolder('dry-run'), 'orders.ndjson');
    writeFileSync(file, content.replaceAll('2026-04-09T', '2026-05-09T'));
    const dryRun = async (name: string) => {
      const streams = { ...files(''), file: name };
      expect(await runDryRun({ ...streams, platform: 'shopify', conversion: {} })).to.equal(2);
      const lines = String(streams.stdout.read()).split('\n').filter(Boolean);
      return lines.map((line) => line.replace(/ +/g, ' '));
    };
    const holds = [
      'gift_card_sale: Only a gift card was sold: it is owed and not earned.',
      ' What to do: Nothing; what is bought with it counts.',
      ' Orders: #13',
      'sum_residual: The parts of an order of a platform do not add up to its total.',
      ' What to do: Compare the amounts that the message names; send such an order as an item of this API.',
      ' Orders: #35',
    ];
    const held = `${file}.held.ndjson`;
    expect(await dryRun(file)).to.deep.equal([
      '6 orders read: 4 convert, 2 held back',
      'gift_card_sale 1 50.00',
      'sum_residual 1 45.00',
      'month orders total sales refunds',
      '2026-04 2 127.60 0.00',
      '2026-05 0 0.00 12.00',
      ...holds,
      `These orders are in ${held}; once their cause is gone, import that file.`,
    ]);
    const lines = readFileSync(held, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).errors[0].code)).to.deep.equal(['gift_card_sale', 'sum_residual']);
    // The file that it writes can be read as one, and that of an import which was interrupted stays as it is.
    expect((await dryRun(held))[0]).to.equal('2 orders read: 0 convert, 2 held back');
    writeFileSync(`${file}.import-state.json`, '{}');
    writeFileSync(held, 'kept');
    expect((await dryRun(file)).at(-1)).to.equal(holds.at(-1));
    expect(readFileSync(held, 'utf8')).to.equal('kept');
  });

  it('names ten orders of a reason at most', async () => {
    const order = orderOf('gift-card-sold-alone');
    const content = Array.from({ length: 1_012 }, (_, i) => JSON.stringify({ ...order, name: `#${i}\u001b[2J` }));
    const streams = files(content.join('\n'));
    await runDryRun({ ...streams, platform: 'shopify', conversion: {} });
    rmSync('stdin.held.ndjson');
    expect(/Orders: (.*)/.exec(String(streams.stdout.read()))?.[1]).to.equal(
      `${Array.from({ length: 10 }, (_, i) => `#${i}[2J`).join(', ')} and 1,002 more`,
    );
  });

  it('counts the months of a zone', async () => {
    const content = JSON.stringify(orderOf('tax-added')).replaceAll('2026-04-02T21', '2026-04-30T23');
    const months = [];
    for (const timezone of ['Europe/Berlin', 'Pacific/Auckland']) {
      const streams = files(content);
      await runDryRun({ ...streams, platform: 'shopify', conversion: {}, timezone });
      months.push(/^\d{4}-\d\d/m.exec(String(streams.stdout.read()))?.[0]);
    }
    expect(months).to.deep.equal(['2026-04', '2026-05']);
  });
});
