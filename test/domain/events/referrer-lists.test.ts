import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { CLICK_IDS } from '../../../src/domain/events/click-networks.js';
import { ORIGINS, PLACES } from '../../../src/domain/events/networks.js';
import { classifyReferrer, type ReferrerClass } from '../../../src/domain/events/referrer.js';

/** Lists of Matomo as of 2026-11-28, in the public domain (CC0 1.0): https://github.com/matomo-org/searchengine-and-social-list. */
const read = (name: string): unknown =>
  parse(readFileSync(new URL(`../../fixtures/referrers/matomo_${name}.yml`, import.meta.url), 'utf8'));

type Hosts = Record<string, string[]>;
type Engines = Record<string, { urls: string[] }[]>;

/** Entries that the product classes otherwise. */
const OTHERWISE: Readonly<Record<string, ReferrerClass>> = {
  // A path, which browsers leave out of a referrer.
  'x.com/i/grok': 'social',
  // Sign-in: the shop sent the visitor there.
  'login.live.com': 'internal',
  // An app that is gone, and what no referrer says.
  'com.google.android.apps.plus': 'referral',
  'linkedin.android': 'referral',
  // The list has these among the search engines too.
  'chatgpt.com': 'ai_assistant',
  'chat.openai.com': 'ai_assistant',
  'www.perplexity.ai': 'ai_assistant',
  'you.com': 'ai_assistant',
  'www.facebook.com': 'social',
  'searchservice.myspace.com': 'social',
  'www2.inbox.com': 'mail',
};

/** Portals and encyclopedias, which search only where the address carries a search term; browsers send none any more. */
const PORTALS = new Set(
  `alexa.com apollo.lv www.arcor.de msnbc.msn.com dizionario.it.msn.com enciclopedia.it.msn.com www.blogpulse.com
  www.charter.net digg.com dmoz.org editors.dmoz.org friendfeed.com www.cnn.com www.fastweb.it www.optuszoo.com.au
  cgi2.nintendo.co.jp webcache.googleusercontent.com monumentbrowser.com translate.google.com www.hit-parade.com www.icq.com
  www.google.interia.pl www.kataweb.it www.mister-wong.com www.mister-wong.de online.no rpmfind.net fr2.rpmfind.net
  www.skynet.be www.so-net.ne.jp www.talktalk.co.uk technorati.com www.url.org www.web.nl www.weborama.fr jp.hao123.com
  www.yatedo.com www.yatedo.fr`.split(/\s+/),
);

const classOf = (host: string): ReferrerClass =>
  classifyReferrer({ host, isApp: /^(?:com|org)\./.test(host), pageHost: '', shopHost: '', ownHosts: '' });

describe('the tables of networks and hosts', () => {
  it('class every host of the lists of assistants, social networks and search engines as these do', () => {
    const listed = [
      ...Object.values(read('AIAssistants') as Hosts).map((hosts) => ['ai_assistant', hosts] as const),
      ...Object.values(read('Socials') as Hosts).map((hosts) => ['social', hosts] as const),
      ...Object.values(read('SearchEngines') as Engines).flatMap((rows) =>
        rows.map(({ urls }) => ['search', urls.map((url) => url.replaceAll('{}', 'de'))] as const),
      ),
    ].flatMap(([wanted, hosts]) => hosts.map((host) => [host, wanted] as const));
    expect(listed.length).to.be.greaterThan(800);
    const wrong = listed.flatMap(([entry, wanted]) => {
      // An address of an app: its package is what counts.
      const host = entry.replace(/^android-app\/+/, '').replace(/\/.*/, '');
      const right = OTHERWISE[entry] ?? (PORTALS.has(host) ? 'referral' : wanted);
      return classOf(host) === right ? [] : [`${entry}: ${classOf(host)}, not ${right}`];
    });
    expect(wrong).to.deep.equal([]);
  });

  it('say of each row where it is from and since when, and name nothing twice', () => {
    for (const { from, on } of [...PLACES, ...CLICK_IDS]) {
      expect(ORIGINS[from]).to.be.a('string');
      expect(on).to.match(/^2026-\d\d-\d\d$/);
    }
    const words = [
      PLACES.flatMap(({ names = '' }) => names.split(/\s+/).filter((name) => name !== '')),
      PLACES.flatMap(({ hosts = '' }) => hosts.split(/\s+/).filter((host) => host !== '')),
      CLICK_IDS.flatMap(({ params }) => params.split(' ')),
    ];
    for (const list of words) expect(new Set(list).size).to.equal(list.length);
  });
});
