import { expect } from 'chai';
import fc from 'fast-check';
import {
  linkHere,
  linkTo,
  parsePath,
  pathOf,
  PAGES,
  SETTINGS,
  settingsPath,
  UPLOAD_NAMES,
  uploadPath,
  type Address,
} from '../../src/console/web/app/address.js';
import { rangeOf } from '../../src/console/web/app/range.js';

describe('addresses of the app', () => {
  it('name a page of a shop, or one of its orders, whatever the id', () => {
    const id = fc.string({ minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(id, (order) => {
        expect(parsePath(pathOf('a.b', 'orders', order))).to.deep.equal({ page: 'order', shop: 'a.b', order });
      }),
    );
    for (const page of PAGES) expect(parsePath(pathOf('a', page))).to.deep.equal({ page, shop: 'a' });
    for (const section of SETTINGS)
      expect(parsePath(settingsPath('a', section))).to.deep.equal({ page: 'settings', shop: 'a', section });
    for (const kind of UPLOAD_NAMES)
      expect(parsePath(uploadPath('a', kind))).to.deep.equal({ page: 'upload', shop: 'a', kind });
    expect(parsePath('/shop/a/settings')).to.deep.equal({ page: 'settings', shop: 'a', section: 'shop' });
    expect(parsePath('/shop/a/settings/none')).to.deep.equal({ page: 'unknown', shop: 'a' });
    expect(parsePath('/')).to.deep.equal({ page: 'shops' });
    for (const path of ['/shop', '/shop/', '/other', '/shop/a/orders/1/2']) {
      expect(parsePath(path), path).to.deep.equal({ page: 'unknown' });
    }
    expect(parsePath('/shop/a/nothing')).to.deep.equal({ page: 'unknown', shop: 'a' });
    expect(parsePath('/shop/a/settings/nothing')).to.deep.equal({ page: 'unknown', shop: 'a' });
    expect(parsePath('/shop/a/channels/1')).to.deep.equal({ page: 'unknown', shop: 'a' });
  });

  it('keep the days from page to page, and nothing else', () => {
    const query = new URLSearchParams('from=2026-01-01&to=2026-01-02&figure=refunds&cursor=x');
    const address: Address = { place: { page: 'overview', shop: 'a' }, path: '/shop/a', query };
    expect(linkTo(address, '/shop/a/orders', { loss: '1' })).to.equal(
      '/shop/a/orders?from=2026-01-01&to=2026-01-02&loss=1',
    );
    expect(linkHere(address, { figure: null })).to.equal('/shop/a?from=2026-01-01&to=2026-01-02');
    expect(linkHere(address, { cursor: 'y' })).to.contain('figure=refunds&cursor=y');
  });

  it('have days that can be shown, or say which are wrong', () => {
    const of = (query: string) => rangeOf(new URLSearchParams(query), 'Pacific/Kiritimati');
    expect(of('')).to.have.property('preset', '30d');
    expect(of('range=7d')).to.have.property('preset', '7d');
    expect(of('from=2026-01-01&to=2026-01-02')).to.deep.equal({
      range: { from: '2026-01-01', to: '2026-01-02' },
      preset: null,
      vs: 'before',
    });
    expect(of('vs=none')).to.have.property('vs', 'none');
    for (const query of [
      'vs=x',
      'from=2026-01-02&to=2026-01-01',
      'from=2026-02-30&to=2026-03-01',
      'from=2026-01-01',
      'range=x',
    ]) {
      expect(of(query), query).to.have.property('fault');
    }
  });
});
