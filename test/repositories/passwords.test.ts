import { expect } from 'chai';
import { createPasswords } from '../../src/repositories/passwords.js';

const PASSWORD = 'a password of the tests';

describe('passwords', () => {
  it('are stored with their parameters and a salt of their own, and are known again', async () => {
    const passwords = createPasswords();
    const [one, other] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)]);
    expect(one).to.match(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(other).not.to.equal(one);
    expect(await passwords.isRight(PASSWORD, one)).to.equal(true);
    expect(await passwords.isRight(`${PASSWORD} `, one)).to.equal(false);
    expect(await passwords.isRight(PASSWORD, '')).to.equal(false);
  });

  it('beyond two at once and sixteen that wait are refused for now', async () => {
    const passwords = createPasswords();
    const ends = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.hash(PASSWORD)));
    const refused = ends.filter(({ status }) => status === 'rejected');
    expect(refused).to.have.length.within(12, 28);
    expect(refused[0]).to.have.nested.property('reason.errors[0].code', 'rate_limited');
    expect(refused[0]).to.have.nested.property('reason.retryAfter', 5);
  });
});
