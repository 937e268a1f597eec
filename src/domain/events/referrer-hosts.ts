/*
 * Where visitors come from, apart from search engines. The hosts of social networks and AI assistants are facts taken
 * from Matomo's searchengine-and-social-list (https://github.com/matomo-org/searchengine-and-social-list), which is in
 * the public domain (CC0 1.0), with newer ones added; the names of mail, payment and apps are our own.
 */
import { PLACES } from './networks.js';
import { wordSet } from './word-list.js';

/** Hosts of social networks, messengers and link lists; their subdomains count as well. */
export const socialHosts = wordSet(`
  badoo.com beacons.ai bebo.com bereal.com bilibili.com bio.link bitcoinhackers.org blackplanet.com botsin.space
  bsky.app buzznet.com c.im channels.weixin.qq.com chaos.social classmates.com clubhouse.com cybre.space discord.com
  discord.gg discordapp.com douban.com douyin.com douyu.com dribbble.com facebook.com fb.com fb.me fb.watch
  fetlife.com flickr.com flixster.com fosstodon.org fotolog.com foursquare.com friends.nico friendsreunited.com
  friendster.com front-end.social gab.com gaiaonline.com gate.sc geni.com github.com global.cyworld.com
  graphics.social gree.jp habbo.com hachyderm.io hi5.com huya.com hyves.nl identi.ca ig.me indieweb.social instagr.am
  instagram.com kakao.com knzk.me lang-8.com last.fm lastfm.com.br lastfm.com.tr lastfm.de lastfm.es lastfm.fr
  lastfm.it lastfm.jp lastfm.pl lastfm.ru lastfm.se lemmy.world lemon8-app.com line.me linkedin.com linktr.ee
  livejournal.com livejournal.ru lnk.bio lnkd.in lobste.rs m.me mamot.fr mas.to masto.ai mastodon.art mastodon.at
  mastodon.cloud mastodon.eus mastodon.jalgi.eus mastodon.nz mastodon.online mastodon.scot mastodon.social
  mastodon.technology mastodon.world mastodon.xyz mastodonapp.uk mastodont.cat meinvz.net messenger.com metapixl.com
  mewe.com missevan.com mixi.jp moikrug.ru mp.weixin.qq.com mstdn.io mstdn.jp mstdn.party mstdn.social multiply.com
  my.mail.ru myheritage.com mylife.ru myspace.com myyearbook.com netlog.com news.ycombinator.com newsie.social
  nextdoor.com nicovideo.jp nk.pl odnoklassniki.ru ohai.social ok.ru open.weixin.qq.com orkut.com patreon.com
  pawoo.net peepeth.com pin.it
  pix.toot.wales pixelfed.de pixelfed.social pixelfed.uno pixey.org plaxo.com plus.google.com producthunt.com
  pxlmo.com quey.org quora.com qzone.qq.com redd.it reddit.com renren.com ro-mastodon.puyo.jp rumble.com sfba.social
  skyfeed.app skyrock.com snap.com snapchat.com social.tchncs.de social.vivaldi.net sonico.com soundcloud.com
  sourceforge.net stackoverflow.com studivz.net stumbleupon.com t.cn t.co t.me t.umblr.com tagged.com taringa.net
  telegram.me telegram.org threads.com threads.net tiktok.com tiktokv.com tkm.eus toot.community truthsocial.com
  tuenti.com tumblr.com twitcasting.tv twitch.tv twitter.com typo.social universeodon.com url.google.com v2ex.com
  vero.co viadeo.com vimeo.com vis.social vk.com vkontakte.ru vkrugudruzei.ru wa.me wayn.com wechat.com weeworld.com
  weibo.com whatsapp.com workplace.com x.com xanga.com xiaohongshu.com xing.com youtu.be youtube-nocookie.com
  youtube.com zhihu.com
`);

/** Social networks under many country endings, with all their subdomains. */
export const regionalSocialNames = wordSet('pinterest');

/** Hosts of AI assistants; their subdomains count as well. */
export const assistantHosts: ReadonlySet<string> = new Set(
  PLACES.flatMap(({ kind, hosts }) => (kind === 'ai_assistant' && hosts !== undefined ? [...wordSet(hosts)] : [])),
);

/** Hosts of web mail and of the links that mailing services put into messages; their subdomains count as well. */
export const mailHosts = wordSet(`
  outlook.live.com outlook.office.com outlook.office365.com outlook.com hotmail.com safelinks.protection.outlook.com
  deref-mail.com deref-gmx.net deref-gmx.com deref-web.de deref-web-02.de navigator.gmx.net navigator.web.de
  messagerie.orange.fr messagerie.sfr.fr e.mail.ru inbox.google.com inbox.com fastmail.com app.hey.com
  app.superhuman.com tutanota.com app.tuta.com exmail.qq.com email.t-online.de poczta.onet.pl poczta.wp.pl connect.xfinity.com
  list-manage.com mailchi.mp campaign-archive.com klclick.com klclick1.com klclick2.com klclick3.com klaviyomail.com
  ct.sendgrid.net sendibt2.com sendibt3.com rs6.net cmail19.com cmail20.com createsend1.com createsend.com omnisend.com
  awstrack.me hubspotemail.net mlsend.com mailerlite.com convertkit-mail.com getresponse.com activehosted.com
`);

/**
 * Payment and sign-in pages: a visitor who comes back from them was sent there by the shop itself, so they count as
 * internal and never take the credit for an order. Their subdomains count as well.
 */
export const returnHosts = wordSet(`
  paypal.com paypalobjects.com checkout.stripe.com hooks.stripe.com pay.stripe.com js.stripe.com link.com klarna.com
  klarnaservices.com afterpay.com clearpay.co.uk clearpay.com affirm.com sezzle.com zip.co quadpay.com laybuy.com
  scalapay.com alma.eu getalma.eu riverty.com afterpay.nl in3.nl billie.io ratepay.com mollie.com adyen.com
  adyenpayments.com checkout.com worldpay.com sagepay.com opayo.co.uk braintreegateway.com authorize.net
  squareup.com cardinalcommerce.com arcot.com 3dsecure.io rsa3dsauth.com multisafepay.com pay.nl buckaroo.nl
  payu.com przelewy24.pl paysera.com mercadopago.com razorpay.com paytm.in phonepe.com payfast.co.za sofort.com
  giropay.de paydirekt.de bancontact.com ideal.nl trustly.com swish.nu vipps.no mobilepay.dk twint.ch datatrans.com
  saferpay.com payments.amazon.com payments.amazon.de payments.amazon.co.uk pay.amazon.com pay.amazon.eu
  pay.google.com accounts.google.com appleid.apple.com login.live.com login.microsoftonline.com login.yahoo.com
  shop.app checkout.shopify.com pay.shopify.com accounts.shopify.com alipay.com bitpay.com commerce.coinbase.com
`);

/** Android apps by package name, as they stand in `android-app://` referrers; packages below them count as well. */
export const appPackages: Readonly<Record<string, 'search' | 'social' | 'mail' | 'ai_assistant'>> = {
  'com.google.android.googlequicksearchbox': 'search',
  'com.google.android.apps.searchlite': 'search',
  'com.microsoft.bing': 'search',
  'com.duckduckgo.mobile.android': 'search',
  'com.google.android.gm': 'mail',
  'com.microsoft.office.outlook': 'mail',
  'com.yahoo.mobile.client.android.mail': 'mail',
  'ch.protonmail.android': 'mail',
  'com.samsung.android.email.provider': 'mail',
  'com.openai.chatgpt': 'ai_assistant',
  'ai.perplexity.app.android': 'ai_assistant',
  'com.anthropic.claude': 'ai_assistant',
  'com.google.android.apps.bard': 'ai_assistant',
  'com.microsoft.copilot': 'ai_assistant',
  'ai.x.grok': 'ai_assistant',
  'com.facebook.katana': 'social',
  'com.facebook.lite': 'social',
  'com.facebook.orca': 'social',
  'com.instagram.android': 'social',
  'com.instagram.barcelona': 'social',
  'com.zhiliaoapp.musically': 'social',
  'com.ss.android.ugc.trill': 'social',
  'com.twitter.android': 'social',
  'com.linkedin.android': 'social',
  'com.pinterest': 'social',
  'com.reddit.frontpage': 'social',
  'com.snapchat.android': 'social',
  'com.google.android.youtube': 'social',
  'com.whatsapp': 'social',
  'org.telegram.messenger': 'social',
  'com.discord': 'social',
  'com.tumblr': 'social',
  'com.vkontakte.android': 'social',
  'xyz.blueskyweb.app': 'social',
  'org.joinmastodon.android': 'social',
};
