import { expect } from 'chai';
import { accountsToStart, changeBiUsers, readBiUsers, takeAccount } from '../../src/embedded/engines/bi-users.js';
import { keptUser } from '../support/bi-proxy.js';
import { withFolder } from './processes.js';

describe('the BI users of the data folder', () => {
  it('are all kept where commands add some at the same time', () =>
    withFolder(async (folder) => {
      expect(await readBiUsers(folder)).to.deep.equal([]);
      const added = Array.from({ length: 5 }, (_, i) => keptUser(`bi_${i}`));
      await Promise.all(added.map((user) => changeBiUsers(folder, (users) => [...users, user])));
      expect(await readBiUsers(folder)).to.have.deep.members(added);
    }));

  it('have accounts that no earlier one has had', () =>
    withFolder(async (folder) => {
      expect(await takeAccount(folder)).to.equal(undefined);
      const names = async () => (await accountsToStart(folder)).map(({ name }) => name);
      const first = await names();
      expect(new Set(first)).to.have.length(20);
      const taken = await Promise.all([1, 2, 3].map(() => takeAccount(folder)));
      const [one] = taken;
      if (one === undefined) throw new Error('no account was to spare');
      await changeBiUsers(folder, () => [{ ...keptUser('bi_one'), account: one }]);
      const second = await names();
      expect(second.slice(0, 18)).to.deep.equal([one.name, ...first.slice(3)]);
      expect(second).to.have.length(21);
      await changeBiUsers(folder, () => []);
      expect(await names()).to.deep.equal(second.slice(1));
    }));
});
