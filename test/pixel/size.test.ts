import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pixelScript } from '../browser/support/collector.js';

describe('pixel: size', () => {
  it('is at most 4.5 KB of gzip', async () => {
    expect(gzipSync(await pixelScript(), { level: 9 }).length).to.be.within(1000, 4500);
  });
});
