import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { once } from 'node:events';
import { expect } from 'chai';
import { errorText } from '../../src/cli/error-text.js';

/** What an action throws, in words. */
async function said(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    return errorText(error);
  }
  throw new Error('nothing was thrown');
}

describe('errors at the terminal', () => {
  it('name files and what is wrong with them', async () => {
    expect(await said(() => readFile('/nowhere/orders.ndjson'))).to.equal(
      '/nowhere/orders.ndjson: there is no such file or folder',
    );
    expect(await said(() => readFile('src'))).to.equal('this is a folder, not a file');
    expect(await said(() => readFile('package.json/x'))).to.equal('package.json/x: a part of the path is no folder');
  });

  it('name addresses that do not answer', async () => {
    expect(await said(() => once(connect(1, '127.0.0.1'), 'connect'))).to.equal(
      'no answer from 127.0.0.1:1: nothing listens there; is the service running?',
    );
    // Two addresses of one name fail together.
    expect(await said(() => once(connect(1, 'localhost'), 'connect'))).to.match(/: nothing listens there/);
  });

  it('tell a damaged gzip file', async () => {
    const text = await said(() => gunzipSync(Buffer.from('1f8b0800', 'hex')));
    expect(text).to.equal('the gzip data is damaged or cut short (unexpected end of file)');
  });

  it('keep what the project says itself, one line of what others say, and no more than a screen', async () => {
    expect(errorText(new RangeError('--limit must be a whole number'))).to.equal('--limit must be a whole number');
    expect(errorText(new Error('driver\n    at Object.<anonymous> (x.js:1:1)'))).to.equal('driver');
    expect(errorText(new Error('x'.repeat(10_000)))).to.have.length(500);
    expect(errorText('text')).to.equal('text');
    expect(await said(() => AbortSignal.abort().throwIfAborted())).to.equal('interrupted');
  });
});
