/*
 * Who brings visitors: advertising networks, search engines, social networks, AI assistants and senders of messages, by the names that
 * campaigns give them and the click ids that they add to links. One table, each row with where it is from and when it was looked at.
 */

/** What kind of place a campaign source is. */
export type SourceKind = 'search' | 'social' | 'ai_assistant' | 'mail' | 'sms' | 'push' | 'affiliate';

/**
 * What a click id tells. `ad`: a paid click. `maybe_ad`: the network adds it to every outgoing link, paid or not.
 * `affiliate`: a commissioned click. `listing`: an unpaid shopping result. `mail`: a mailing. `share`: a shared post.
 */
export type ClickKind = 'ad' | 'maybe_ad' | 'affiliate' | 'listing' | 'mail' | 'share';

/** Where a row is from. */
export const ORIGINS = {
  /** Collected by the project from links and from what the networks say about them. */
  own: 'the project',
  posthog: 'https://github.com/PostHog/posthog-js (click ids of its campaign parameters)',
  matomo: 'https://github.com/matomo-org/searchengine-and-social-list (CC0 1.0)',
  openai: 'https://barefoot-performance.com/resources/chatgpt-ads-oppref-click-identifier-explained',
  nextdoor: 'https://docs.metarouter.io/docs/nextdoor-sync',
  naver: 'https://navercts.gitbook.io/guide/gather_description, https://ads.naver.com/notice/13446',
} as const;

export interface KnownPlace {
  /** The advertising network, as in `google_ads`; null: it sells no ads under a name of ours. */
  readonly network: string | null;
  readonly kind: SourceKind | null;
  /** Names in `utm_source`, separated by blanks. */
  readonly names?: string;
  /** Hosts of an assistant, separated by blanks; their subdomains count as well. */
  readonly hosts?: string;
  readonly from: keyof typeof ORIGINS;
  /** Day on which it was looked at. */
  readonly on: string;
}

const own = { from: 'own', on: '2026-11-25' } as const;
const matomo = { from: 'matomo', on: '2026-11-28' } as const;

/** The first row of a network says what it is in the first place: Google searches, although YouTube is a social network. */
export const PLACES: readonly KnownPlace[] = [
  { network: 'google', kind: 'search', names: 'google adwords pmax gdn dv360 demandgen', ...own },
  { network: 'google', kind: 'social', names: 'youtube yt youtu.be', ...own },
  { network: 'microsoft', kind: 'search', names: 'bing microsoft msn adcenter', ...own },
  { network: 'yahoo', kind: 'search', names: 'yahoo', ...own },
  { network: 'yandex', kind: 'search', names: 'yandex', ...own },
  { network: 'baidu', kind: 'search', names: 'baidu', ...own },
  { network: 'naver', kind: 'search', names: 'naver', ...own },
  { network: 'seznam', kind: 'search', names: 'seznam sklik', from: 'own', on: '2026-11-28' },
  {
    network: 'meta',
    kind: 'social',
    names: 'facebook fb instagram ig meta messenger threads fbig m.me instagr.am an msg th',
    ...own,
  },
  {
    network: 'tiktok',
    kind: 'social',
    names: 'tiktok tt tiktokv.com com.zhiliaoapp.musically com.ss.android.ugc.trill',
    ...own,
  },
  { network: 'x', kind: 'social', names: 'x twitter t.co x.com', ...own },
  { network: 'linkedin', kind: 'social', names: 'linkedin lnkd', ...own },
  { network: 'snapchat', kind: 'social', names: 'snapchat snap', ...own },
  { network: 'pinterest', kind: 'social', names: 'pinterest pin pin.it', ...own },
  { network: 'reddit', kind: 'social', names: 'reddit redd.it', ...own },
  { network: 'quora', kind: 'social', names: 'quora', ...own },
  { network: 'nextdoor', kind: 'social', names: 'nextdoor', from: 'nextdoor', on: '2026-11-28' },
  { network: 'line', kind: 'social', names: 'line line.me jp.naver.line.android', ...own },
  { network: 'taboola', kind: null, names: 'taboola', ...own },
  { network: 'outbrain', kind: null, names: 'outbrain', ...own },
  { network: 'criteo', kind: null, names: 'criteo', ...own },
  { network: 'amazon', kind: null, names: 'amazon amzn', ...own },
  { network: 'applovin', kind: null, names: 'applovin axon', ...own },
  { network: 'spotify', kind: null, names: 'spotify', ...own },
  { network: null, kind: 'search', names: 'duckduckgo ddg ecosia qwant startpage brave sogou kagi', ...own },
  {
    network: null,
    kind: 'social',
    names: 'whatsapp telegram bluesky bsky mastodon discord tumblr vk weibo wechat twitch linktree',
    ...own,
  },
  {
    network: 'openai',
    kind: 'ai_assistant',
    names: 'openai chatgpt chatgptpilot',
    hosts: 'chatgpt.com chat.com openai.com',
    from: 'openai',
    on: '2026-11-28',
  },
  {
    network: 'microsoft',
    kind: 'ai_assistant',
    names: 'copilot',
    hosts: 'copilot.microsoft.com copilot.com copilot.cloud.microsoft m365.cloud.microsoft edgeservices.bing.com',
    ...matomo,
  },
  {
    network: null,
    kind: 'ai_assistant',
    names: 'perplexity claude gemini grok deepseek mistral',
    hosts: `ai.baidu.com app.jasper.ai app.writesonic.com bard.google.com chat-gpt.org chatglm.cn chatplus.com claude.ai
      deepseek.com duck.ai gemini.google.com grok.com iask.ai meta.ai mistral.ai notebooklm.google.com perplexity.ai qwen.ai
      yiyan.baidu.com you.com`,
    ...matomo,
  },
  {
    network: null,
    kind: 'ai_assistant',
    hosts: `aistudio.google.com anthropic.com character.ai chat.z.ai doubao.com felo.ai genspark.ai huggingface.co kimi.com
      kimi.moonshot.cn liner.com manus.im phind.com pi.ai poe.com tongyi.aliyun.com yuanbao.tencent.com`,
    ...own,
  },
  {
    network: null,
    kind: 'mail',
    names: `email newsletter klaviyo mailchimp omnisend brevo sendinblue hubspot sendgrid activecampaign convertkit mailerlite
      beehiiv substack drip emarsys braze iterable customerio dotdigital campaignmonitor sailthru listrak cordial ometria
      sendlane moosend getresponse constantcontact aweber privy seguno shopify_email shopifyemail mailjet postmark`,
    ...own,
  },
  { network: null, kind: 'sms', names: 'sms attentive postscript smsbump recart', ...own },
  { network: null, kind: 'push', names: 'push webpush onesignal pushowl', ...own },
  {
    network: null,
    kind: 'affiliate',
    names: `affiliate affiliates awin impact cj shareasale rakuten partnerize tradedoubler refersion goaffpro uppromote
      skimlinks pepperjam ltk rewardstyle webgains honey sovrn viglink admitad flexoffers impactradius`,
    ...own,
  },
];
