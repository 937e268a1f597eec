import { expect } from 'chai';
import { visit } from './visit.js';

const google = 'https://www.google.com/';
const facebook = 'https://l.facebook.com/';

const clicks: readonly (readonly [string, string, string])[] = [
  ['gclid', 'google', 'google_ads'],
  ['gbraid', 'google', 'google_ads'],
  ['wbraid', 'google', 'google_ads'],
  ['dclid', 'google', 'google_ads'],
  ['fbclid', 'meta', 'organic_social'],
  ['msclkid', 'microsoft', 'microsoft_ads'],
  ['ttclid', 'tiktok', 'tiktok_ads'],
  ['twclid', 'x', 'x_ads'],
  ['li_fat_id', 'linkedin', 'linkedin_ads'],
  ['sccid', 'snapchat', 'snapchat_ads'],
  ['ScCid', 'snapchat', 'snapchat_ads'],
  ['epik', 'pinterest', 'pinterest_ads'],
  ['rdt_cid', 'reddit', 'reddit_ads'],
  ['yclid', 'yandex', 'yandex_ads'],
  ['vmcid', 'yahoo', 'yahoo_ads'],
  ['tblci', 'taboola', 'taboola_ads'],
  ['oppref', 'openai', 'openai_ads'],
  ['ndclid', 'nextdoor', 'nextdoor_ads'],
  ['sznclid', 'seznam', 'seznam_ads'],
  ['NaPm', 'naver', 'naver_ads'],
  ['n_ad_group', 'naver', 'naver_ads'],
  ['srsltid', 'google', 'organic_shopping'],
  ['irclickid', 'impact', 'affiliate'],
  ['irclid', 'impact', 'affiliate'],
  ['awc', 'awin', 'affiliate'],
  ['cjevent', 'cj', 'affiliate'],
  ['sscid', 'shareasale', 'affiliate'],
  ['mc_cid', 'mailchimp', 'email'],
];

const personalClicks: readonly (readonly [string, string, string])[] = [
  ['_kx', 'klaviyo', 'email'],
  ['_ke', 'klaviyo', 'email'],
  ['mc_eid', 'mailchimp', 'email'],
  ['mkt_tok', 'marketo', 'email'],
  ['_hsenc', 'hubspot', 'email'],
  ['vero_id', 'vero', 'email'],
  ['igsh', 'meta', 'organic_social'],
];

const channels: readonly (readonly [string, string, string])[] = [
  // Click ids that nothing contradicts, campaign parameters, the referrer.
  ['email', 'gclid=a1&utm_source=newsletter&utm_medium=email', ''],
  ['google_ads', 'gad_source=1', google],
  ['microsoft_ads', 'gclid=a1&msclkid=b2', ''],
  ['affiliate', 'gclid=a1&irclickid=b2', ''],
  ['organic_social', 'fbclid=a1', facebook],
  ['organic_social', 'fbclid=a1&utm_source=facebook', facebook],
  ['meta_ads', 'fbclid=a1&utm_source=fb&utm_medium=paid', facebook],
  ['meta_ads', 'fbclid=a1&utm_medium=paid_social', facebook],
  ['organic_social', 'fbclid=a1&utm_source=summer&utm_medium=sale', facebook],
  ['organic_social', 'fbclid=a1&utm_source=facebook&utm_medium=social', facebook],
  ['email', 'fbclid=a1&utm_source=klaviyo&utm_medium=email', facebook],
  ['email', 'fbclid=a1&utm_source=klaviyo', facebook],
  ['google_ads', 'fbclid=a1&utm_source=google&utm_medium=cpc', facebook],
  ['sms', '_kx=a1&utm_medium=sms&utm_source=klaviyo', ''],
  ['organic_search', 'srsltid=a1&utm_source=google&utm_medium=organic', google],
  ['organic_shopping', 'srsltid=a1', google],
  // Places of a network's ads.
  ['x_ads', 'twclid=a1', 'https://mobile.x.com/'],
  ['pinterest_ads', 'epik=a1', 'https://pin.it/'],
  ['reddit_ads', 'rdt_cid=a1&utm_medium=social', 'https://out.reddit.com/'],
  ['tiktok_ads', 'ttclid=a1&utm_source=tiktok&utm_medium=social', 'android-app://com.zhiliaoapp.musically/'],
  ['line_ads', 'ldtag_cl=a1', 'https://line.me/'],
  ['google_ads', 'gclid=a1&utm_source=youtube&utm_medium=video', 'https://www.youtube.com/'],
  ['google_ads', 'gclid=a1', 'android-app://com.google.android.googlequicksearchbox/'],
  ['google_ads', 'gclid=a1', 'https://www.ecosia.org/'],
  ['google_ads', 'gclid=a1&ef_id=b2', google],
  ['microsoft_ads', 'msclkid=a1', 'https://search.yahoo.com/'],
  ['microsoft_ads', 'msclkid=a1', 'https://copilot.microsoft.com/'],
  ['taboola_ads', 'tblci=a1', 'https://www.msn.com/'],
  ['openai_ads', 'oppref=a1&utm_source=chatgpt.com&utm_medium=referral', 'https://chatgpt.com/'],
  ['openai_ads', 'utm_source=chatgptpilot&utm_medium=paid', ''],
  ['openai_ads', 'utm_medium=cpc', 'https://chatgpt.com/'],
  ['nextdoor_ads', 'ndclid=a1', 'https://nextdoor.com/'],
  ['naver_ads', 'NaPm=ct%3Dhf2%7Ctr%3Dsa', 'https://search.naver.com/'],
  ['seznam_ads', 'sznclid=a1', 'https://search.seznam.cz/'],
  ['affiliate', 'awc=a1&utm_source=awin&utm_medium=cpa', facebook],
  // And what contradicts its click ids.
  ['organic_social', 'ttclid=a1', 'https://mastodon.social/'],
  ['organic_search', 'ttclid=a1', 'https://duckduckgo.com/'],
  ['ai_assistant', 'gclid=a1', 'https://chatgpt.com/'],
  ['ai_assistant', 'oppref=a1', 'https://claude.ai/'],
  ['email', 'gclid=a1', 'https://mail.google.com/'],
  ['organic_social', 'gclid=a1&utm_medium=social', ''],
  ['organic_search', 'gclid=a1&utm_source=bing', 'https://www.bing.com/'],
  ['organic_search', 'awc=a1&utm_source=google&utm_medium=organic', google],
  ['organic_search', 'gclid=a1&utm_source=google&utm_medium=organic', google],
  // Paid media.
  ['google_ads', 'utm_source=google&utm_medium=cpc', google],
  ['google_ads', 'utm_source=GoogleAds&utm_medium=PPC', ''],
  ['google_ads', 'utm_source=adwords', ''],
  ['google_ads', 'utm_source=youtube&utm_medium=cpv', ''],
  ['microsoft_ads', 'utm_source=bing&utm_medium=cpc', ''],
  ['meta_ads', 'utm_source=ig&utm_medium=paid', ''],
  ['meta_ads', 'utm_source=facebook.com&utm_medium=paidsocial', ''],
  ['meta_ads', 'utm_source=fb_ig&utm_medium=paid-social', ''],
  ['meta_ads', 'utm_source=facebook_ads', ''],
  ['meta_ads', 'utm_medium=cpc', facebook],
  ['tiktok_ads', 'utm_source=tiktok&utm_medium=paid', ''],
  ['tiktok_ads', 'utm_source=TikTokAds', ''],
  ['x_ads', 'utm_source=x&utm_medium=cpc', ''],
  ['spotify_ads', 'utm_source=spotify&utm_medium=cpm', ''],
  ['criteo_ads', 'utm_source=criteo&utm_medium=retargeting', ''],
  ['google_ads', 'utm_source=google&utm_medium=display', ''],
  ['display', 'utm_source=somenetwork&utm_medium=banner', ''],
  ['paid_search', 'utm_source=ecosia&utm_medium=cpc', ''],
  ['paid_social', 'utm_source=mastodon&utm_medium=cpc', ''],
  ['paid_social', 'utm_source=somenetwork&utm_medium=paid_social', ''],
  ['paid_other', 'utm_source=somenetwork&utm_medium=cpc', ''],
  ['affiliate', 'utm_source=awin&utm_medium=cpa', ''],
  // Unpaid media.
  ['email', 'utm_source=anything&utm_medium=Email', ''],
  ['email', 'utm_source=anything&utm_medium=e-mail', ''],
  ['email', 'utm_source=Klaviyo', ''],
  ['email', 'utm_source=newsletter-2026-03', ''],
  ['sms', 'utm_source=anything&utm_medium=sms', ''],
  ['sms', 'utm_source=postscript', ''],
  ['push', 'utm_source=pushowl&utm_medium=web_push', ''],
  ['affiliate', 'utm_source=anything&utm_medium=affiliates', ''],
  ['affiliate', 'utm_source=shareasale', ''],
  ['organic_social', 'utm_source=instagram&utm_medium=social', ''],
  ['organic_social', 'utm_source=facebook&utm_medium=organic', ''],
  ['organic_social', 'utm_source=facebook', ''],
  ['organic_social', 'utm_source=threads', ''],
  ['organic_social', 'utm_source=brand&utm_medium=organic_social', ''],
  ['organic_social', 'utm_source=brand&utm_medium=Social+Media', ''],
  ['organic_search', 'utm_source=google&utm_medium=organic', ''],
  ['organic_search', 'utm_medium=organic', ''],
  ['organic_search', 'utm_source=duckduckgo', ''],
  ['organic_shopping', 'utm_source=google&utm_medium=product_sync&utm_campaign=sag_organic', google],
  ['ai_assistant', 'utm_source=chatgpt.com', ''],
  ['ai_assistant', 'utm_source=perplexity', ''],
  ['ai_assistant', 'utm_source=chatgpt.com&utm_medium=referral', ''],
  ['ai_assistant', 'utm_source=perplexity.ai&utm_medium=referral', ''],
  ['referral', 'utm_source=partner-site&utm_medium=referral', ''],
  ['other', 'utm_source=podcast-xyz&utm_medium=audio', ''],
  ['other', 'utm_source=flyer', google],
  ['other', 'utm_source=downloads', ''],
  ['other', 'utm_source=brave-magazine', ''],
  // What says nothing leaves the referrer to decide.
  ['organic_search', 'utm_source=(direct)&utm_medium=(none)', google],
  ['organic_search', 'utm_medium=(not+set)', google],
  ['organic_search', 'utm_campaign=spring', google],
  ['organic_search', 'gclid=', google],
  // The referrer.
  ['organic_search', '', google],
  ['organic_social', '', facebook],
  ['ai_assistant', '', 'https://chatgpt.com/'],
  ['email', '', 'https://mail.google.com/'],
  ['referral', '', 'https://blog.example.org/'],
  ['internal', '', 'https://www.example.com/'],
  ['internal', '', 'https://www.paypal.com/'],
  ['meta_ads', 'utm_source=facebook&utm_medium=cpc', 'https://shop.example.com/'],
  ['direct', '', ''],
];

describe('channel', () => {
  for (const [param, network, channel] of clicks) {
    it(`classifies ${param} as a click of ${network} through ${channel}`, () => {
      const row = visit(`${param}=Ab-1_x.2`);
      expect(row.click_ids).to.deep.equal([{ param: param.toLowerCase(), network, value: 'Ab-1_x.2' }]);
      expect(row.channel).to.equal(channel);
      expect(row.url).to.include(`${param}=Ab-1_x.2`);
    });
  }

  for (const [param, network, channel] of personalClicks) {
    it(`classifies ${param} as ${network} through ${channel} without keeping whom it identifies`, () => {
      const row = visit(`${param}=Ab-1_x.2&a=1`);
      expect(row.click_ids).to.deep.equal([{ param, network, value: '' }]);
      expect(row.channel).to.equal(channel);
      expect(JSON.stringify(row)).not.to.include('Ab-1_x.2');
    });
  }

  for (const [channel, query, referrer] of channels) {
    it(`classifies "${query}" from ${referrer || 'nowhere'} as ${channel}`, () => {
      expect(visit(query, referrer).channel).to.equal(channel);
    });
  }

  it('keeps a click id whose value is unusable as a sign of its network', () => {
    expect(visit(`gclid=${'a'.repeat(513)}`).click_ids).to.deep.equal([
      { param: 'gclid', network: 'google', value: '' },
    ]);
    expect(visit('gclid=jane%40mail.example').click_ids).to.deep.equal([
      { param: 'gclid', network: 'google', value: '' },
    ]);
  });

  it('keeps the first click id of a name', () => {
    const row = visit('gclid=a1&GCLID=b2&fbclid=c3');
    expect(row.click_ids.map(({ param, value }) => [param, value])).to.deep.equal([
      ['gclid', 'a1'],
      ['fbclid', 'c3'],
    ]);
  });
});
