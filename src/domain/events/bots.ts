import { isbot } from 'isbot';
import { remembering } from '../bounded-cache.js';
import { wordSet } from './word-list.js';

/** Programs name themselves before this. */
const LONGEST_JUDGED = 1_000;

/**
 * Programs that send events on purpose: a storefront's server or app that forwards them, or a developer at a terminal.
 * A crawler meets the pixel only when it runs the page's scripts, so it comes as a browser or names itself.
 */
const forwarders = wordSet(`
  aiohttp alamofire apache-httpclient autocannon axios bun cfnetwork curl dart deno faraday go-http-client got
  guzzlehttp httpie insomnia java java-http-client k6 ktor-client libwww-perl node node-fetch node-superagent okhttp
  php postmanruntime python-httpx python-requests python-urllib reqwest rest-client ruby superagent symfony undici wget
`);

/** How SmartNews and Toutiao name themselves, whose readers isbot takes for collectors of news (findings/readers-of-a-news-app.sh). */
const NEWS_APPS = /\b(?:SmartNews|NewsArticle|NewsLite)\/|\(News(?:Lite)? /g;

/**
 * Whether a user agent is a crawler or an automated browser (headless Chromium included). An absent or empty one is
 * not, nor is the bare name of an HTTP library. Verdicts are remembered, because one test takes longer than the rest of
 * the enrichment.
 */
export function isBot(userAgent: string | undefined): boolean {
  if (userAgent === undefined || userAgent === '') return false;
  return judged(userAgent);
}

const judged = remembering(512 * 1024, (userAgent) => judge(userAgent.slice(0, LONGEST_JUDGED)));

function judge(userAgent: string): boolean {
  const [, program = ''] = /^([A-Za-z][\w-]*)(?:\/[\w.+-]+)?(?: \((?![^)]*bot)[^)]*\))?$/i.exec(userAgent) ?? [];
  return !forwarders.has(program.toLowerCase()) && isbot(userAgent.replace(NEWS_APPS, ''));
}
