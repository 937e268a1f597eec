import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);

/** The script of axe-core; null where the package is not installed. */
export function axePath(): string | null {
  try {
    return require.resolve('axe-core/axe.min.js');
  } catch {
    return null;
  }
}

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Rules that look at colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with the page as it is now (WCAG 2.2 A and AA, and its best practices), a line each. */
export async function audit(page: Page, rules?: readonly string[]): Promise<string[]> {
  const path = axePath();
  if (path === null) throw new Error('axe-core is not installed: npm install --save-dev axe-core');
  // Put in by the debugger's protocol, which the page's policy does not bind.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(await readFile(path, 'utf8'));
  // What is in order is not described.
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}

/** The same in the light and in the dark theme, which are one page in other colours. It is in the light one afterwards. */
export async function auditThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await audit(page, OF_COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...dark.map((fault) => `dark: ${fault}`), ...(await audit(page))];
}
