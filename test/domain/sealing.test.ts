import { expect } from 'chai';
import { createSealing } from '../../src/domain/sealing.js';

describe('sealed texts', () => {
  const sealing = createSealing('a key of the service, long enough');

  it('open for their owner alone, with the same key, unchanged', () => {
    for (const text of ['', 'hush', 'ü€\u0000'.repeat(200)]) {
      const sealed = sealing.seal(text, 'hook 1');
      expect(sealing.open(sealed, 'hook 1')).to.equal(text);
      expect(sealing.open(sealed, 'hook 2')).to.equal(null);
      expect(createSealing('another key of the service').open(sealed, 'hook 1')).to.equal(null);
      expect(sealing.seal(text, 'hook 1')).not.to.equal(sealed);
    }
  });

  it('do not open where a bit of them was changed, or a part is missing', () => {
    const sealed = sealing.seal('hush', 'hook 1');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(sealing.open(`v1.${changed.toString('base64url')}`, 'hook 1')).to.equal(null);
      expect(sealing.open(`v1.${bytes.subarray(0, i).toString('base64url')}`, 'hook 1')).to.equal(null);
    }
    for (const text of ['', 'v1.', 'hush', `v2.${sealed.slice(3)}`])
      expect(sealing.open(text, 'hook 1')).to.equal(null);
  });
});
