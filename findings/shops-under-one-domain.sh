#!/usr/bin/env bash
# To which site a page of a hosted shop belongs, by the public suffix list: tldts 7.5.4 and psl 1.15.0 (npm).
# Expected: two shops under the name of their platform are two sites, as browsers keep their cookies apart; both libraries read one list.
# Seen: tldts gives myshopify.com for every shop of Shopify unless it is told allowPrivateDomains; psl tells them apart, but gives square.site
# for every shop there, of a list that is older. Names of four other platforms are not on the list at all, so with either library and any
# option all their shops are one site.
# Why it matters: a visit that another shop of the platform sent counts as a page of one's own, and its order as direct; one cookie or one limit
# by site is shared by all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent tldts@7.5.4 psl@1.15.0
cat >sites.mjs <<'JS'
import psl from 'psl';
import { getDomain } from 'tldts';
const platforms = ['myshopify.com', 'wixsite.com', 'square.site', 'mybigcommerce.com', 'bigcartel.com', 'squarespace.com', 'wordpress.com'];
const WAYS = {
  tldts: (host) => getDomain(host),
  'tldts, allowPrivateDomains': (host) => getDomain(host, { allowPrivateDomains: true }),
  psl: (host) => psl.get(host),
};
const seen = Object.entries(WAYS).map(([name, siteOf]) => {
  const apart = platforms.filter((platform) => siteOf(`north.${platform}`) !== siteOf(`south.${platform}`));
  console.log(`${name} tells shops apart under: ${apart.join(' ') || 'none'}`);
  return apart.join(' ');
});
const expected = ['', 'myshopify.com wixsite.com square.site', 'myshopify.com wixsite.com'];
if (seen.join() !== expected.join()) throw new Error('the behaviour has changed');
JS
node sites.mjs
