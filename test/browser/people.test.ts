import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { signOut, useApp } from './support/app.js';
import { audit, auditThemes, axePath } from './support/axe.js';
import { quiet } from './support/quiet.js';

const PASSWORD = 'long enough a password';
let names = 0;

const daysAgo = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

describe('people in a browser', () => {
  const { service, open, sellingShop } = useApp();

  /** Invites a viewer of the shop, and gives the link that is shown once. */
  async function inviteViewer(page: Page, shop: string, name: string): Promise<string> {
    await page.goto(`${service().url}/shop/${shop}/settings/people`);
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel(shop, { exact: true }).waitFor();
    const invitedTo = await dialog.getByRole('checkbox', { checked: true }).locator('xpath=..').allInnerTexts();
    expect(invitedTo, 'the shop of the address, not the first of the installation').to.deep.equal([shop]);
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const link = await page.getByRole('group', { name: 'Invitation link' }).innerText();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(link).to.match(/\/join#[\w-]{43}$/);
    return link;
  }

  /** Opens a link without a session. */
  async function join(link: string): Promise<Page> {
    const { page } = await open('/');
    await signOut(page);
    await page.goto(link);
    await page.getByLabel('Your name').waitFor();
    return page;
  }

  it('are invited, join, see figures and no controls, and are signed out by a change of role', async () => {
    const shop = await sellingShop();
    const name = `Bea ${process.pid} ${++names}`;
    const owner = await open('/');
    const link = await inviteViewer(owner.page, shop.id, name);

    const viewer = await join(link);
    expect(new URL(viewer.url()).hash).to.equal('');
    await viewer.getByText('you see all figures and change nothing').waitFor();
    await viewer.getByLabel('Choose a password').fill('short');
    await viewer.getByRole('button', { name: 'Join' }).click();
    await viewer.getByText('A password has at least 12 characters.').waitFor();
    await viewer.getByLabel('Choose a password').fill(PASSWORD);
    await viewer.getByRole('button', { name: 'Join' }).click();
    // It is the only shop of the viewer.
    await viewer.locator('[data-figure=earnings] data').waitFor();
    expect(new URL(viewer.url()).pathname).to.equal(`/shop/${shop.id}`);
    expect(await viewer.getByRole('link', { name: 'Developers' }).count()).to.equal(0);
    await viewer.getByRole('link', { name: `${name} · viewer` }).click();
    await viewer.getByRole('heading', { name: 'Your sessions' }).waitFor();
    expect(await viewer.getByRole('button', { name: 'Invite' }).count()).to.equal(0);
    await viewer.getByLabel('The password you have').fill('not my password');
    await viewer.getByLabel('Another one, at least 12 characters').fill('another long password');
    await viewer.getByRole('button', { name: 'Change password' }).click();
    await viewer.getByRole('alert').getByText('This is not the password that you have now.').waitFor();
    await viewer.getByLabel('The password you have').fill(PASSWORD);
    await viewer.getByRole('button', { name: 'Change password' }).click();
    await viewer.getByText('Changed. Your other sessions are over.').waitFor();
    // The page goes on with the session that has begun.
    await viewer.getByRole('cell', { name: 'this one, now' }).waitFor();
    expect(await viewer.getByRole('heading', { name: 'Who did what' }).count()).to.equal(0);
    await viewer.goto(`${service().url}/developers?shop=${shop.id}`);
    await viewer.getByText('This page needs the role manager; yours is viewer.').waitFor();
    await viewer.goto(`${service().url}/shop/there-is-none`);
    await viewer.getByText('There is no shop “there-is-none” here.').waitFor();

    await owner.page.reload();
    await owner.page.getByRole('button', { name: `Change ${name}` }).click();
    await owner.page.getByRole('dialog').getByLabel('Manager').check();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await owner.page.getByRole('row', { name: new RegExp(`${name}.*Manager.*not signed in`) }).waitFor();
    await owner.page.getByText(`changed ${name} from viewer of ${shop.id} to manager of ${shop.id}`).first().waitFor();
    await viewer.goto(`${service().url}/shop/${shop.id}`);
    await viewer.waitForURL((url) => url.pathname === '/signin');
    await viewer.getByLabel('Name').fill(name);
    await viewer.getByLabel('Password').fill(`not ${PASSWORD}`);
    await viewer.getByRole('button', { name: 'Sign in', exact: true }).click();
    // The wrong password before counts as one, unless a minute is over.
    await viewer.getByText(/^This name and password don’t belong together\. [34] more tries this minute\.$/).waitFor();
    await viewer.getByLabel('Password').fill('another long password');
    await viewer.getByRole('button', { name: 'Sign in', exact: true }).click();
    await viewer.getByRole('link', { name: 'Developers' }).waitFor();
    expect(owner.faults).to.deep.equal([]);
  });

  it('change their password while the page reads itself again, and stay on it', async () => {
    const shop = await sellingShop();
    const { page: owner } = await open('/');
    const viewer = await join(await inviteViewer(owner, shop.id, `Nell ${process.pid} ${++names}`));
    await viewer.getByLabel('Choose a password').fill(PASSWORD);
    await viewer.getByRole('button', { name: 'Join' }).click();
    await viewer.locator('[data-figure=earnings] data').waitFor();
    await viewer.goto(`${service().url}/shop/${shop.id}/settings/people`);
    await viewer.getByLabel('The password you have').fill(PASSWORD);
    await viewer.getByLabel('Another one, at least 12 characters').fill('another long password');
    await quiet(viewer);

    const [old] = await viewer.context().cookies();
    const cookie = `${old?.name}=${old?.value}`;
    let refuse: (() => void) | undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    let isChanged = false;
    await viewer.route('**/app/api/**', async (route) => {
      const request = route.request();
      if (isChanged) {
        await route.continue();
      } else if (request.method() === 'GET') {
        const answer = await route.fetch({ headers: { ...request.headers(), cookie } });
        if (answer.status() === 401) refuse?.();
        await route.fulfill({ response: answer });
      } else {
        const answer = await route.fetch();
        // The page reads again when it is seen again: its old session is over by now, and it knows no other yet.
        await viewer.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
        await refused;
        isChanged = true;
        await route.fulfill({ response: answer });
      }
    });
    await viewer.getByRole('button', { name: 'Change password' }).click();
    await viewer.getByText('Changed. Your other sessions are over.').waitFor();
    await viewer.getByRole('cell', { name: 'this one, now' }).waitFor();
    await quiet(viewer);
    expect(new URL(viewer.url()).pathname).to.equal(`/shop/${shop.id}/settings/people`);
  });

  it('share figures of some days by a link, which shows nothing else and can be ended', async () => {
    const shop = await sellingShop();
    const owner = await open(`/shop/${shop.id}/settings/people`);
    await owner.page.getByRole('button', { name: 'Share', exact: true }).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click();
    const link = await owner.page.getByRole('group', { name: 'Link to the figures' }).innerText();
    await owner.page.getByRole('button', { name: 'I have kept it' }).click();

    const { page, faults } = await open('/');
    await signOut(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''));
    await page.goto(link);
    const shown = await page.locator('[data-row=earnings]').getAttribute('value');
    const range = `from=${daysAgo(29)}&to=${daysAgo(0)}`;
    const { body } = await shop.call('GET', `/v1/metrics?${range}&include=statement`);
    expect(shown).to.equal(body.statement.earnings);
    await page.getByRole('region', { name: 'Days, table' }).waitFor();
    await page.getByRole('region', { name: 'Channels, table' }).getByText('No visit seen').waitFor();
    expect(asked.join()).to.not.contain(new URL(link).hash.slice(1));
    expect(await page.getByRole('main').getByRole('link').count()).to.equal(0);
    if (axePath() !== null) {
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await audit(page)).to.deep.equal([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    }
    expect(faults).to.deep.equal([]);

    await owner.page.getByRole('button', { name: /^End the link to/ }).click();
    await owner.page.getByText('No link is open.').waitFor();
    await page.reload();
    await page.getByText('This link has ended, or it is not whole: ask for a new one.').waitFor();
  });

  if (axePath() !== null) {
    it('have pages in which axe finds nothing wrong, light or dark, and nothing overflows, with the longest names too', async () => {
      const shop = await sellingShop();
      const { page } = await open('/');
      const link = await inviteViewer(page, shop.id, `W${'W'.repeat(50)} ${process.pid} ${++names}`);
      const joining = await join(link);
      for (const width of [1440, 390]) {
        for (const one of [page, joining]) await one.setViewportSize({ width, height: 900 });
        const check = async (one: Page, what: string) => {
          await quiet(one);
          expect(await auditThemes(one), `${what}, ${width}`).to.deep.equal([]);
          expect(await one.evaluate('document.documentElement.scrollWidth'), `${what}, ${width}`).to.equal(width);
        };
        await check(joining, 'join');
        await page.goto(`${service().url}/shop/${shop.id}/settings/people`);
        await page.getByRole('heading', { name: 'Who did what' }).waitFor();
        await check(page, 'people');
        await page
          .getByRole('button', { name: /^Change W/ })
          .first()
          .click();
        await check(page, 'change');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Invite' }).click();
        await check(page, 'invite');
        await page.keyboard.press('Escape');
      }
    });
  }
});
