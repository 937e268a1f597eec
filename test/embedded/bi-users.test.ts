import { expect } from 'chai';
import { changeBiUsers, readBiUsers } from '../../src/embedded/engines/bi-users.js';
import { withFolder } from './processes.js';

describe('the BI users of the data folder', () => {
  it('are all kept where commands add some at the same time', () =>
    withFolder(async (folder) => {
      expect(await readBiUsers(folder)).to.deep.equal([]);
      const added = Array.from({ length: 5 }, (_, i) => ({ name: `bi_${i}`, passwordSha256: String(i).repeat(64) }));
      await Promise.all(added.map((user) => changeBiUsers(folder, (users) => [...users, user])));
      expect(await readBiUsers(folder)).to.have.deep.members(added);
    }));
});
