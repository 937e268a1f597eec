import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { appFolder, assetRoutes } from '../../src/console/server/assets.js';
import { preloadsOf } from '../../src/console/server/preloads.js';
import { createExpress, createExpressServer } from '../../src/http/server.js';
import { listening, type Listening } from '../support/listening.js';

describe('the scripts and styles of the pages', () => {
  let folder: string;
  let server: Listening;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-assets-'));
    await writeFile(join(folder, 'a.js'), 'let a;');
    await writeFile(
      join(folder, 'page.js'),
      'import{b}from"./page-b.js";import"./gone.js";import("./page-later-1.js");',
    );
    await writeFile(join(folder, 'page-b.js'), 'export{c}from"./page-c.js"');
    await writeFile(join(folder, 'page-c.js'), 'import"./page-b.js"');
    await writeFile(join(folder, 'page-later-1.js'), 'import"./page-c.js"');
    const app = createExpress();
    assetRoutes(app, folder);
    server = await listening(createExpressServer(app));
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const get = (headers: Record<string, string> = {}) => fetch(`${server.url}/assets/a.js`, { headers });

  it('are not sent again to whom has them, however the entity tag is told', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    for (const told of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect((await get({ 'if-none-match': told })).status, told).to.equal(304);
    }
    const changed = await get({ 'if-none-match': '"other"' });
    expect(changed.status).to.equal(200);
    expect(await changed.text()).to.equal('let a;');
  });

  it('are named in the document with all that they import, each once, so that a browser asks for them at once', () => {
    expect(preloadsOf(folder, 'page.js')).to.deep.equal(['page-b.js', 'page-c.js']);
    expect(preloadsOf(folder, 'page.js', ['page-later-'])).to.deep.equal(['page-b.js', 'page-c.js', 'page-later-1.js']);
    expect(preloadsOf(join(folder, 'none'), 'page.js')).to.deep.equal([]);
    // Those of the last build.
    const [first = ''] = preloadsOf(appFolder(), 'app.js', ['app-figure-page-']).filter((name) =>
      name.includes('figure'),
    );
    expect(first).to.match(/^app-figure-page-\w+\.js$/);
  });
});
