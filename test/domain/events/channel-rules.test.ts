import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readArrival } from '../../../src/domain/events/channel.js';
import { readVisit } from '../../../src/domain/events/visit.js';
import { issuerOf } from '../../../src/domain/events/click-networks.js';

const readme = readFileSync(new URL('../../../pixel/README.md', import.meta.url), 'utf8');

/** The rows of the table, without the backticks. */
const rules = readme
  .slice(readme.indexOf('## Channels and evidence'))
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('| --') && !line.startsWith('| Signs'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

describe('channels and evidence', () => {
  it('stand in one table', () => {
    expect(rules.length).to.be.greaterThan(25);
  });

  for (const [, signs = '', query = '', referrer = '', channel, evidence, reason] of rules) {
    it(`${signs}: "${query}" from ${referrer || 'nowhere'} is ${channel ?? ''}, ${evidence ?? ''}`, () => {
      const url = `https://shop.example.com/products/1${query === '' ? '' : '?'}${query}`;
      const visit = readVisit({ url, referrer, shopDomain: 'shop.example.com', ownHosts: '' });
      expect([visit?.channel, visit?.evidence]).to.deep.equal([channel, evidence]);
      expect(reason).not.to.equal('');
    });
  }

  it('never calls a click proved that any two signs disagree about', () => {
    const ids = ['gclid', 'msclkid', 'ttclid', 'fbclid', 'awc', 'mc_cid', 'srsltid', 'igsh', 'ef_id'];
    const tags = [
      ['google', 'cpc'],
      ['facebook', 'cpc'],
      ['tiktok', 'social'],
      ['klaviyo', 'email'],
      ['awin', 'affiliate'],
      ['', 'organic'],
      ['chatgpt.com', ''],
    ] as const;
    const channelOfId = (param: string): string => {
      const issuer = issuerOf(param);
      return issuer?.kind === 'affiliate' ? 'affiliate' : `${issuer?.network ?? ''}_ads`;
    };
    for (const param of ids) {
      for (const [source, medium] of tags) {
        const clickIds = [{ param, network: issuerOf(param)?.network ?? '', value: '1' }];
        const utm = { source, medium, campaign: '', term: '', content: '', id: '' };
        const { channel, evidence } = readArrival({ clickIds, utm, referrerClass: 'direct', referrerHost: '' });
        const alone = readArrival({ clickIds: [], utm, referrerClass: 'direct', referrerHost: '' }).channel;
        if (evidence === 'proved') expect(channel, `${param} ${source} ${medium}`).to.equal(channelOfId(param));
        else expect([alone, 'meta_ads', 'organic_social'], `${param} ${source} ${medium}`).to.include(channel);
      }
    }
  });
});
