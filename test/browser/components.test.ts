import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect } from 'chai';
import type { Me } from '../../src/schemas/people.js';
import { auditThemes, axePath } from './support/axe.js';
import { openPage } from './support/browser.js';
import { servePage, type Site } from './support/serve-page.js';
import { SHIFTS } from './support/shifts.js';
import { quiet } from './support/quiet.js';

const SHARED = 'src/console/web/shared';
const VIEWS = ['', '#dialog', '#entrance'];
/** The frame is around the page, with all of these in it. */
const IN_FRAME = ['change-count', 'current-person', 'navigation', 'phone-tabs', 'sign-out', 'signed-in', 'theme'];
/** Reads for others, and shows nothing itself. */
const UNSEEN = ['since'];
const ME: Me = {
  csrf: 'x',
  session_id: 'y',
  expires_at: '2026-01-01T00:00:00Z',
  person_id: '1',
  name: 'Ann',
  role: 'viewer',
  shops: null,
};
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>Components</title><link rel="stylesheet" href="/style.css"><script type="module" src="/page.js"></script>
  <body><div id="app"></div></body></html>`;

describe('the components of the app', () => {
  let site: Site;

  before(async () => {
    const { outputFiles } = await build({
      entryPoints: ['test/browser/states/page.tsx'],
      bundle: true,
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      write: false,
    });
    site = await servePage({
      '/': { body: HTML, headers: { 'Content-Security-Policy': "default-src 'self'; img-src 'self' data:" } },
      '/page.js': { body: outputFiles[0]?.text ?? '', type: 'text/javascript' },
      '/style.css': { body: readFileSync('dist/app/style.css', 'utf8'), type: 'text/css' },
      '/app/api/session': { body: JSON.stringify(ME), type: 'application/json' },
      '/favicon.ico': { body: '', type: 'image/x-icon' },
    });
  });
  after(() => site.close());

  for (const width of [1440, 390]) {
    it(`are shown each in all states, light or dark, ${width} wide, with nothing that moves or that axe finds wrong`, async () => {
      const { page, context, errors } = await openPage({ viewport: { width, height: 900 } });
      await page.addInitScript({ content: SHIFTS });
      const shown: string[] = [];
      for (const view of VIEWS) {
        await page.goto('about:blank');
        await page.goto(`${site.origin}/${view}`);
        await page.locator('[data-state]').first().waitFor();
        await quiet(page);
        for (const component of await page.locator('[data-component]').all()) {
          shown.push((await component.getAttribute('data-component')) ?? '');
          for (const state of await component.locator('[data-state]').all()) {
            const name = `${shown.at(-1) ?? ''}, ${(await state.getAttribute('data-state')) ?? ''}`;
            expect(await state.locator('> :not(h3)').count(), name).to.be.greaterThan(0);
            expect((await state.boundingBox())?.height, name).to.be.greaterThan(20);
          }
        }
        expect(await page.evaluate('shifts'), view).to.deep.equal([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), view).to.equal(width);
        if (axePath() !== null) expect(await auditThemes(page), view).to.deep.equal([]);
      }
      const files = readdirSync(SHARED).filter((name) => name.endsWith('.tsx'));
      expect([...shown, ...IN_FRAME, ...UNSEEN].sort()).to.deep.equal(
        files.map((name) => name.replace('.tsx', '')).sort(),
      );
      expect(errors).to.deep.equal([]);
      await context.close();
    });
  }

  it('are shown by tests alone: the app holds no such page', () => {
    const built = readdirSync('dist/app').map((name) => readFileSync(`dist/app/${name}`, 'utf8'));
    expect(built.filter((text) => text.includes('data-component'))).to.deep.equal([]);
    expect(built.length).to.be.greaterThan(5);
  });
});
