import { expect } from 'chai';
import { campaignName } from '../../../src/domain/events/campaign-name.js';

describe('the campaign of a visit', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['the name, as sent', 'Summer Sale', '123', 'Summer Sale'],
    ['the id where no name is given', '', '120212345678901234', '120212345678901234'],
    ['the id where a tool left the name unfilled', '{{campaign.name}}', '123', '123'],
    ['nothing where both say nothing', '(not set)', '{campaignid}', ''],
    ['nothing where neither is given', '', '', ''],
    ['no id that is a text', '', 'id of the summer', ''],
    ['no id that is longer than a name', '', '1'.repeat(256), ''],
  ];
  for (const [title, name, id, wanted] of cases)
    it(`is ${title}`, () => {
      expect(campaignName(name, id)).to.equal(wanted);
    });
});
