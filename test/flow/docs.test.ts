import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { ERROR_CODES, HOLD_CODES } from '../../src/error-catalogue.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { GUIDES, readGuide } from '../../src/http/pages/docs-site.js';
import { operationOf } from '../support/document.js';
import { useService } from '../support/service.js';

const TAGS = [...new Set(OPERATIONS.map(({ tag }) => tag))];
/** Every address that has a page. */
const PAGES = [
  ...GUIDES.map((name, i) => (i === 0 ? '/docs' : `/docs/${name}`)),
  '/bi',
  '/docs/reference',
  ...TAGS.map((tag) => `/docs/reference/${tag.toLowerCase()}`),
];
const linksIn = (html: string): string[] =>
  [...html.matchAll(/<(?:a|link)\b[^>]* href="([^"]+)"|<script src="([^"]+)"/g)].map(
    ([, href, src]) => href ?? src ?? '',
  );
const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

describe('the documentation', () => {
  const service = useService({ workers: false });
  const html = async (path: string): Promise<string> => {
    const { status, headers, body } = await service.call('GET', path, { headers: { Accept: 'text/html' } });
    expect(status, path).to.equal(200);
    expect(headers.get('content-type'), path).to.equal('text/html; charset=utf-8');
    return String(body);
  };

  it('goes out compressed, as the OpenAPI document does; figures do not', async () => {
    const encoding = async (path: string) =>
      (await service.call('GET', path, { headers: { 'Accept-Encoding': 'gzip' } })).headers.get('content-encoding');
    for (const path of ['/docs', '/docs/shopify.md', '/bi', '/openapi.json', '/llms.txt'])
      expect(await encoding(path), path).to.equal('gzip');
    expect(await encoding('/v1/metrics/definitions')).to.equal(null);
  });

  it('names no request that the OpenAPI document lacks', () => {
    const named = GUIDES.flatMap((name) =>
      [...readGuide(name).matchAll(/`(GET|PUT|POST|PATCH|DELETE) (\/v1\/[^ `?]+)/g)].map(
        ([, method = '', path = '']) => ({
          name,
          method,
          path,
        }),
      ),
    );
    expect(named.length).to.be.above(20);
    const missing = named.filter(({ method, path }) => operationOf(method, path) === undefined);
    expect(missing).to.deep.equal([]);
  });

  it('answers without a session, and lets nothing inline run', async () => {
    for (const path of PAGES) {
      const { headers, body } = await service.call('GET', path);
      expect(headers.get('content-security-policy'), path).to.contain("default-src 'none'").and.not.contain('unsafe');
      expect(headers.get('cache-control'), path).to.equal('no-cache');
      expect(body, path).not.to.match(/<script>|<style|style="| on\w+="/);
      expect(String(body).match(/<h1>/g), path).to.have.length(1);
      expect(new Set(idsIn(String(body))).size, path).to.equal(idsIn(String(body)).length);
    }
  });

  it('has the address at which it is read in its examples, and nothing else of a host', async () => {
    const pages = ['/docs', '/docs.md', '/docs/pixel', '/docs/pixel.md', '/docs/reference/orders'];
    const read = (path: string, host: string) =>
      new Promise<string>((resolve, reject) => {
        const answered = (res: IncomingMessage): void => void textOf(res).then(resolve, reject);
        get(service.url + path, { headers: { Host: host, Accept: 'text/html' } }, answered).on('error', reject);
      });
    for (const path of pages) {
      const page = await read(path, 'figures.shop.example:8080');
      expect(page, path).to.contain('http://figures.shop.example:8080');
      expect(page, path).not.to.match(/profit\.example\.com|127\.0\.0\.1:3000/);
      expect(await read(path, 'x"><script>'), path).not.to.contain('x"><script>');
    }
  });

  it('has links and anchors that all lead somewhere', async () => {
    const texts = new Map<string, string>();
    for (const path of PAGES) texts.set(path, await html(path));
    const answered = new Set<string>();
    for (const [path, text] of texts) {
      for (const href of linksIn(text)) {
        const { origin, pathname, hash } = new URL(href, service.url + path);
        expect(origin, `${path}: ${href}`).to.equal(service.url);
        const target = texts.get(pathname);
        if (hash !== '' && hash !== '#main') {
          expect(idsIn(target ?? ''), `${path}: ${href}`).to.include(decodeURIComponent(hash.slice(1)));
        }
        if (target === undefined && !answered.has(pathname)) {
          const { status } = await fetch(service.url + pathname, { redirect: 'manual' });
          expect(status, `${path}: ${href}`).to.be.oneOf([200, 303]);
          answered.add(pathname);
        }
      }
    }
    expect([...answered]).to.include.members(['/openapi.json', '/llms.txt', '/assets/style.css', '/assets/docs.js']);
  });

  it('has a twin in Markdown of every page, which for a guide is its source', async () => {
    for (const path of PAGES) {
      const { headers, body } = await service.call('GET', `${path}.md`);
      expect(headers.get('content-type'), path).to.equal('text/markdown; charset=utf-8');
      expect(body, path).to.match(/^# \S/).and.not.contain('{{');
    }
    for (const [i, name] of GUIDES.entries()) {
      const written = readFileSync(`src/http/pages/docs/${name}.md`, 'utf8');
      const source = written.replaceAll(/https:\/\/profit\.example\.com|http:\/\/127\.0\.0\.1:3000/g, service.url);
      const { body } = await service.call('GET', `${PAGES[i] ?? ''}.md`);
      const parts = source.split(/\{\{\w+\}\}/);
      expect(body.startsWith(parts[0]), name).to.equal(true);
      expect(body.endsWith(parts.at(-1)), name).to.equal(true);
      if (parts.length === 1) expect(body).to.equal(source);
    }
  });

  it('names every code that holds an order back, and every error, with what to do', async () => {
    for (const path of ['/docs/shopify', '/docs/woocommerce']) {
      expect(idsIn(await html(path)), path).to.include.members([...HOLD_CODES]);
    }
    for (const path of ['/docs/errors', '/docs/reference']) {
      expect(idsIn(await html(path)), path).to.include.members(ERROR_CODES);
    }
  });

  it('has every request with its parameters and fields in the reference', async () => {
    for (const { method, path, tag, parameters = [], summary } of OPERATIONS) {
      const { body } = await service.call('GET', `/docs/reference/${tag.toLowerCase()}.md`);
      const [, part = ''] = String(body).split(`\n## ${method.toUpperCase()} ${path}\n`);
      const own = part.split('\n## ')[0] ?? '';
      expect(own, path).to.contain(summary);
      for (const { name } of parameters) expect(own, path).to.contain(`\`${name}\``);
    }
    const orders = (await service.call('GET', '/docs/reference/orders.md')).body;
    expect(orders).to.contain('`orders[].line_items[].unit_price` \\*').and.contain('`orders[].fulfillment_cost` |');
  });

  it('is listed for programs in llms.txt', async () => {
    const { headers, body } = await service.call('GET', '/llms.txt');
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const listed = [...String(body).matchAll(/\]\(([^)]+)\.md\): \S/g)].map(([, path = '']) => `/${path}`);
    expect(listed.sort()).to.deep.equal([...PAGES].sort());
    expect(body).to.contain('(openapi.json)');
  });

  it('says of a page that is not there that it is not there', async () => {
    for (const path of [
      '/docs/shopfy',
      '/docs/reference/none',
      '/docs/shopify.md.md',
      '/docs/../docs/getting-started',
    ]) {
      const page = await fetch(service.url + path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
      expect(page.status, path).to.equal(404);
      expect(await page.text(), path)
        .to.contain('There is no such page')
        .and.contain('href="/docs/shopify"');
      const { status, body } = await service.call('GET', path);
      expect([status, body.errors[0].code], path).to.deep.equal([404, 'not_found']);
    }
    expect((await service.call('POST', '/docs', { body: {} })).status).to.equal(405);
  });
});
