import { expect } from 'chai';
import { createPasswords } from '../../src/repositories/passwords.js';
import { cheapPasswords } from '../support/service.js';

describe('hashes of passwords', () => {
  it('are as expensive as scrypt is to be today, and one of another cost is never right', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('a password of the tests');
    expect(stored).to.match(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.isRight('a password of the tests', stored)).to.equal(true);
    expect(await cheapPasswords().isRight('a password of the tests', stored)).to.equal(false);
  });

  it('are made for those who are known while others fill all places that they have', async () => {
    const passwords = cheapPasswords();
    const ended: string[] = [];
    const unknown = Array.from({ length: 6 }, () =>
      passwords.isRight('a guess of somebody', '', false).then(() => ended.push('unknown')),
    );
    await passwords.isRight('a password of the tests', '', true);
    ended.push('known');
    // One of the others is being made, and the next may be.
    expect(ended.indexOf('known')).to.be.at.most(2);
    await Promise.all(unknown);
  });
});
