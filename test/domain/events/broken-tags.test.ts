import { expect } from 'chai';
import { cleanPageUrl } from '../../../src/domain/events/clean-url.js';
import { readVisit } from '../../../src/domain/events/visit.js';

const channelOf = (query: string): string | undefined =>
  readVisit({ url: `https://shop.example/p?${query}`, referrer: '', shopDomain: '', ownHosts: '' })?.channel;

describe('tags', () => {
  it('behind a second question mark are read', () => {
    expect(channelOf('utm_source=news&utm_medium=email?utm_campaign=spring')).to.equal('email');
    expect(channelOf('variant=1?utm_source=google&utm_medium=cpc')).to.equal('google_ads');
    expect(channelOf('utm_source=bing?MSCLKID=abc')).to.equal('microsoft_ads');
    expect(channelOf('q=what?gclid=abc')).to.equal('google_ads');
  });

  it('leave a question mark in any other value', () => {
    const { url } = cleanPageUrl('https://shop.example/p?q=why?because=1&next=/a?b=c') ?? { url: '' };
    expect(url).to.equal('https://shop.example/p?q=why?because=1&next=/a?b=c');
  });

  it('behind 300 other parameters are read, and kept in the address', () => {
    const others = Array.from({ length: 300 }, (_, i) => `p${i}=1`).join('&');
    expect(channelOf(`${others}&gclid=abc`)).to.equal('google_ads');
    expect(channelOf(`${others}&utm_source=news&utm_medium=email`)).to.equal('email');
    const { url = '' } = cleanPageUrl(`https://shop.example/p?${others}&gclid=abc`) ?? {};
    expect(url).to.match(/&p99=1&gclid=abc$/);
    expect(cleanPageUrl(url)?.url).to.equal(url);
  });

  it('are read of a bounded number, in a bounded time', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => `utm_content=${i}`).join('&');
    const { parameters = [] } = cleanPageUrl(`https://shop.example/p?${many}`) ?? {};
    expect(parameters.length).to.equal(200);
  });
});
