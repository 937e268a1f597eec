import { expect } from 'chai';
import { OPERATOR_ENV } from '../console/support.js';
import { useService } from '../support/service.js';

describe('the icon of the pages', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });

  it('is served where browsers and every page ask for it', async () => {
    for (const path of ['/signin', '/docs', '/bi']) {
      const page = await fetch(service.url + path);
      expect(page.status, path).to.equal(200);
      const href = /<link rel="icon" href="([^"]+)">/.exec(await page.text())?.[1] ?? 'none';
      expect(new URL(href, page.url).pathname, path).to.equal('/favicon.ico');
    }
    const icon = await fetch(`${service.url}/favicon.ico`);
    expect(icon.status).to.equal(200);
    expect(icon.headers.get('content-type')).to.equal('image/x-icon');
    const head = Buffer.from(await icon.arrayBuffer()).subarray(0, 4);
    expect(head.toString('hex')).to.equal('00000100');
  });
});
