import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { assetRoutes } from '../../src/console/server/assets.js';
import { createExpress, createExpressServer } from '../../src/http/server.js';
import { listening, type Listening } from '../support/listening.js';

describe('the scripts and styles of the pages', () => {
  let folder: string;
  let server: Listening;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-assets-'));
    await writeFile(join(folder, 'a.js'), 'let a;');
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
});
