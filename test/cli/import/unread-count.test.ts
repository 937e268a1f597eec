import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { runDryRun } from '../../../src/cli/import/platform/dry-run.js';
import { createUnreadCount } from '../../../src/cli/import/platform/unread-count.js';
import { casesOf } from '../../convert/cases.js';

describe('profit import --dry-run of fields that are not read', () => {
  it('counts the orders that carry a field which is neither read nor set aside, after the notes', async () => {
    const order = casesOf('shopify').find(({ name }) => name === 'refund-without-lines')?.input.order;
    const form = { ...(order as object), email: 'a@example.com', surcharge: '2.00', empty: '0.00' };
    const orders = [
      form,
      { ...form, empty: { shop_money: { amount: '0.00', currency_code: 'EUR' } } },
      { ...form, tip_set: { amount: 1 } },
    ];
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const stdin = Readable.from([Buffer.from(orders.map((one) => JSON.stringify(one)).join('\n'))]);
    const streams = { file: '-', stdin, stdout, stderr, signal: new AbortController().signal };
    await runDryRun({ ...streams, platform: 'shopify', conversion: {} });
    const said = String(stderr.read()).split('\n').filter(Boolean);
    expect(said.filter((line) => line.includes('@'))).to.deep.equal([]);
    expect(said.slice(-2)).to.deep.equal([
      'field_not_read 3 orders carry `surcharge`, which is not read',
      'field_not_read 1 order carries `tip_set`, which is not read',
    ]);
    expect(String(stdout.read())).not.to.include('surcharge');
  });

  it('names at most 50 fields that are not read, none longer than 100 characters, and no control character', () => {
    const unread = createUnreadCount();
    for (let i = 0; i < 1000; i++) unread.add(new Set(['\u001b[2J', 'x'.repeat(1000) + String(i), `own_${i}`]));
    const sentences = unread.sentences();
    expect(sentences.length).to.equal(51);
    expect(sentences[0]).to.equal(`1,000 orders carry \`${'x'.repeat(99)}…\`, which is not read`);
    expect(sentences[1]).to.equal('1,000 orders carry `\ufffd[2J`, which is not read');
    expect(sentences.at(-1)).to.equal(
      '952 orders carry other fields, which are not read; only the first 50 names of the file are listed',
    );
  });
});
