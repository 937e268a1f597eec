import { expect } from 'chai';
import { passwordFault } from '../../src/console/server/password-rule.js';

describe('a password that is chosen', () => {
  it('is no common one, no repetition and no row of keys', async () => {
    const easy = [
      'password1234',
      ' '.repeat(12),
      'a'.repeat(128),
      'abcabcabcabc',
      'qwertyuiop12',
      '123456789012',
      'Password123!',
      '😀'.repeat(12),
    ];
    for (const password of easy)
      expect(await passwordFault(password), password)
        .to.be.a('string')
        .that.contains('easy to guess');
    const good = ['correct horse battery staple', 'kx8!mQ2v#Lp0', 'a password of the tests', 'цветочек на дворе'];
    for (const password of good) expect(await passwordFault(password), password).to.equal(null);
  });

  it('has a bounded length, and a long one is judged in bounded time', async () => {
    expect(await passwordFault('kx8!mQ2v#L')).to.equal('A password has at least 12 characters.');
    expect(await passwordFault('kx8!mQ2v#Lp0'.repeat(11))).to.equal('A password has at most 128 characters.');
    const startedAt = process.cpuUsage().user;
    await passwordFault('aB1!'.repeat(32));
    await passwordFault(Buffer.from(Array.from({ length: 96 }, (_, i) => (i * 37) % 256)).toString('base64'));
    expect(process.cpuUsage().user - startedAt).to.be.lessThan(1_000_000);
  });
});
