import { expect } from 'chai';
import { createPasswords } from '../../src/repositories/passwords.js';

describe('hashes of passwords', () => {
  it('are made for those who are known while others fill all places that they have', async () => {
    const passwords = createPasswords();
    const ended: string[] = [];
    // A busy machine refuses those who would wait for too long.
    const unknown = Array.from({ length: 6 }, () =>
      passwords.isRight('a guess of somebody', '', false).then(
        () => ended.push('unknown'),
        () => undefined,
      ),
    );
    await passwords.isRight('a password of the tests', '', true);
    ended.push('known');
    // One of the others is being made, and the next may be.
    expect(ended.indexOf('known')).to.be.at.most(2);
    await Promise.all(unknown);
  });
});
