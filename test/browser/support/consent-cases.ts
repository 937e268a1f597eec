import { expect } from 'chai';
import type { useShop } from './shop.js';
import { NOTHING } from './shop.js';

/** A page load under some signal, and the page view that comes of it. */
export interface ConsentCase {
  title: string;
  /** Time zone of the browser. */
  zone: string;
  /** Runs in the page before the pixel. */
  head?: string;
  /** Runs before anything of the page. */
  init?: string;
  /** Further attributes of the script tag. */
  attributes?: string;
  /** Runs once the pixel has loaded. */
  then?: string;
  /** Milliseconds that pass after it; by default none. */
  after?: number;
  /** The consent label of the page view that goes out; null for none. */
  expected: 'analytics' | 'analytics+marketing' | null;
  /** What is left in local storage; by default the identifiers where there was consent, else nothing. */
  left?: string[];
}

/** Registers a test for each case: what is stored, what is sent, and that the page sees no error. */
export function checkConsent(open: ReturnType<typeof useShop>, cases: ConsentCase[]): void {
  for (const { title, zone, head = '', init = '', attributes = '', then = '', after = 0, expected, left } of cases) {
    it(title, async () => {
      const { visit, page, leave, stored, errors } = await open({
        timezoneId: zone,
        head: `<script>${head}</script>`,
        init,
        attributes,
        still: true,
      });
      await visit();
      await page.evaluate(`(() => { ${then} })()`);
      await page.clock.runFor(after);
      expect(await stored()).to.deep.equal({ ...NOTHING, local: left ?? (expected ? ['profit_id'] : []) });
      expect((await leave()).map(({ type, consent }) => [type, consent])).to.deep.equal(
        expected ? [['page_view', expected]] : [],
      );
      expect(errors).to.deep.equal([]);
    });
  }
}
