import { expect } from 'chai';
import { cleanReferrer } from '../../../src/domain/events/clean-url.js';
import { classifyReferrer } from '../../../src/domain/events/referrer.js';
import type { ReferrerClass } from '../../../src/domain/events/referrer.js';

function classify(referrer: string): ReferrerClass {
  const { url, host } = cleanReferrer(referrer);
  const place = {
    host,
    isApp: url.startsWith('android-app:'),
    pageHost: 'www.brand.co.uk',
    shopHost: 'brand.myshopify.com',
    ownHosts: '',
  };
  return classifyReferrer(place);
}

const byClass: Readonly<Record<ReferrerClass, readonly string[]>> = {
  search: [
    'https://www.google.com/',
    'https://google.de/search?q=shoes',
    'https://www.google.co.uk/',
    'https://www.google.com.br/',
    'https://news.google.com/',
    'https://search.google.com/',
    'https://www.google.cat/',
    'android-app://www.google.com/',
    'https://images.google.fr/',
    'https://www.bing.com/',
    'https://cn.bing.com/search',
    'https://duckduckgo.com/',
    'https://r.search.yahoo.com/_ylt=abc',
    'https://de.search.yahoo.com/',
    'https://yandex.ru/',
    'https://yandex.com.tr/',
    'https://ya.ru/',
    'https://m.baidu.com/',
    'https://www.ecosia.org/',
    'https://search.brave.com/',
    'https://search.naver.com/',
    'https://kagi.com/',
    'https://WWW.GOOGLE.COM/',
    'android-app://com.google.android.googlequicksearchbox/https/www.google.com',
  ],
  social: [
    'https://www.facebook.com/',
    'https://l.facebook.com/l.php?u=x',
    'https://lm.facebook.com/',
    'https://l.instagram.com/',
    'https://t.co/AbC123',
    'https://x.com/',
    'https://www.reddit.com/r/shoes',
    'https://de.pinterest.com/',
    'https://www.pinterest.co.uk/',
    'https://www.pinterest.com.mx/',
    'https://in.pinterest.com/',
    'https://pinterest.vn/',
    'android-app://m.facebook.com/',
    'https://www.youtube.com/',
    'https://youtu.be/',
    'https://www.tiktok.com/',
    'https://lnkd.in/x',
    'https://my.mail.ru/',
    'https://web.whatsapp.com/',
    'https://m.me/',
    'https://bsky.app/',
    'android-app://com.facebook.katana/',
    'android-app://com.reddit.frontpage',
  ],
  ai_assistant: [
    'https://chatgpt.com/',
    'https://chat.openai.com/',
    'https://www.perplexity.ai/',
    'https://gemini.google.com/app',
    'https://copilot.microsoft.com/',
    'https://claude.ai/',
    'https://you.com/',
    'https://chat.mistral.ai/',
    'https://edgeservices.bing.com/',
    'https://ai.baidu.com/',
    'android-app://com.openai.chatgpt/',
  ],
  mail: [
    'https://mail.google.com/',
    'https://outlook.live.com/mail/0/',
    'https://mail.yahoo.com/',
    'https://webmail.provider.example/',
    'https://deref-gmx.net/mail/client/abc/dereferrer/',
    'https://mail2.provider.example/',
    'https://brand.us1.list-manage.com/',
    'https://mail.yandex.ru/',
    'android-app://com.google.android.gm/',
  ],
  referral: [
    'https://www.shoe-blog.example/best-of',
    'https://docs.google.com/document/d/1',
    'https://translate.google.com/',
    'https://google.com.evil.example/',
    'https://notfacebook.com/',
    'https://t.competitor.example/',
    'https://market.yandex.ru/',
    'https://other.myshopify.com/',
    'https://other.co.uk/',
    'http://198.51.100.7/',
    'http://[2001:db8::1]/',
    'android-app://com.example.newsreader/',
  ],
  internal: [
    'https://www.brand.co.uk/products',
    'https://brand.co.uk/',
    'https://checkout.brand.co.uk/',
    'http://www.brand.co.uk:8080/',
    'https://brand.myshopify.com/checkout',
    'https://www.paypal.com/checkoutnow',
    'https://checkout.stripe.com/c/pay/1',
    'https://pay.klarna.com/',
    'https://shop.app/',
    'https://accounts.google.com/',
    'https://login.live.com/',
  ],
  direct: [
    '',
    'about:blank',
    'null',
    '(direct)',
    'data:text/html,x',
    'file:///C:/x.html',
    'chrome-extension://abc/x',
    'android-app://a%40b/',
  ],
};

describe('classifyReferrer', () => {
  for (const [expected, referrers] of Object.entries(byClass)) {
    for (const referrer of referrers) {
      it(`classifies ${referrer || 'no referrer'} as ${expected}`, () => {
        expect(classify(referrer)).to.equal(expected);
      });
    }
  }

  const sites: readonly (readonly [string, string, boolean])[] = [
    ['shop.example.com', 'www.example.com', true],
    ['example.com', 'example.com', true],
    ['example.com', 'example.net', false],
    ['example.com', 'notexample.com', false],
    ['a.co.uk', 'b.co.uk', false],
    ['www.a.co.uk', 'a.co.uk', true],
    ['a.com.au', 'b.com.au', false],
    ['a.vercel.app', 'b.vercel.app', false],
    ['x.a.myshopify.com', 'a.myshopify.com', true],
    ['a.squarespace.com', 'b.squarespace.com', false],
    ['www.a.squarespace.com', 'a.squarespace.com', true],
    ['a.com.ng', 'b.com.ng', false],
    ['a.gob.mx', 'b.gob.mx', false],
    ['a.tokyo.jp', 'b.tokyo.jp', false],
    ['a.s3.amazonaws.com', 'b.s3.amazonaws.com', false],
    ['10.0.0.1', '10.9.0.1', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['localhost', 'localhost', true],
    ['[2001:db8::1]', '[2001:db8::2]', false],
  ];
  for (const [one, other, same] of sites) {
    it(`takes ${one} and ${other} for ${same ? 'one site' : 'two sites'}`, () => {
      const place = { isApp: false, shopHost: '', ownHosts: '' };
      expect(classifyReferrer({ ...place, host: one, pageHost: other }) === 'internal').to.equal(same);
      expect(classifyReferrer({ ...place, host: other, pageHost: one }) === 'internal').to.equal(same);
    });
  }
});
