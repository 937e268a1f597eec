#!/usr/bin/env bash
# Pages that people open in apps for news, by lists of bots: isbot 5.2.3, crawler-user-agents 1.60.0, es6-crawler-detect 4.0.2 and the
# bot detection of ua-parser-js 2.0.10 (npm).
# Expected: the browsers of apps are browsers in all of them, as those of Instagram, TikTok and Pinterest are, and Google's crawler is a bot.
# Seen: to isbot whoever reads in SmartNews or Toutiao (NewsArticle) is a bot: it takes the letters "news" anywhere for a collector of news, but for
# few exceptions, such as the app of Microsoft. The other three take nobody but Google's crawler.
# Why it matters: both apps sell ads to shops. All visits that such an ad brings are dropped, so it looks as if it sold nothing, and its orders have
# another channel or none. The service takes the names of these apps out before it asks isbot (src/domain/events/bots.ts).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent isbot@5.2.3 crawler-user-agents@1.60.0 es6-crawler-detect@4.0.2 ua-parser-js@2.0.10
cat >apps.mjs <<'JS'
import crawlers from 'crawler-user-agents';
import { Crawler } from 'es6-crawler-detect';
import { isbot } from 'isbot';
import { isBot } from 'ua-parser-js/bot-detection';
const detector = new Crawler();
const LISTS = {
  isbot,
  'crawler-user-agents': (agent) => crawlers.some(({ pattern }) => new RegExp(pattern).test(agent)),
  'es6-crawler-detect': (agent) => detector.isCrawler(agent),
  'ua-parser-js': (agent) => isBot(agent),
};
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const AGENTS = {
  Instagram: `${phone} Instagram 334.0.0.42.95 (iPhone14,2; iOS 17_5; de_DE; de; scale=3.00; 1170x2532)`,
  TikTok: `${phone} musical_ly_33.5.0 JsSdk/2.0 NetType/WIFI`,
  Pinterest: `${phone} [Pinterest/iOS]`,
  SmartNews: `${phone} SmartNews/24.5.0`,
  Toutiao: `${phone} NewsArticle/9.1.9.20 JsSdk/2.0 NetType/WIFI (News 9.1.9 17.500000)`,
  Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
};
let changed = false;
for (const [list, isFound] of Object.entries(LISTS)) {
  const found = Object.keys(AGENTS).filter((name) => isFound(AGENTS[name]));
  console.log(`bots by ${list}: ${found.join(', ')}`);
  changed ||= found.join() !== (list === 'isbot' ? 'SmartNews,Toutiao,Googlebot' : 'Googlebot');
}
if (changed) throw new Error('the behaviour has changed');
JS
node apps.mjs
