import { expect } from 'chai';
import { createKey, importKey, listKeys } from '../../src/cli/commands/keys.js';
import { useService } from '../support/service.js';

describe('profit keys', () => {
  const service = useService({ workers: false });

  const statusWith = async (key: string) => (await service.call('GET', '/v1/connections', { key })).status;
  const failureOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error: unknown) => String(error),
    );

  it('shows the name of a key in the list', async () => {
    const shop = `named-${process.pid}`;
    const key = await createKey(service.stores, { shop, kind: 'secret', name: ' warehouse sync ' });
    const other = await createKey(service.stores, { shop, kind: 'pixel' });
    const [head, ...lines] = await listKeys(service.stores, shop);
    expect(head).to.match(/^ID +NAME +KEY +SHOP/);
    expect(lines.find((line) => line.includes(key.slice(-4)))).to.match(/^\w+ +warehouse sync +sk_svc_/);
    expect(lines.find((line) => line.includes(other.slice(-4)))).to.match(/^\w+ +- +pt_svc_/);
    for (const name of ['', '  ', 'x'.repeat(101), 'two\nlines']) {
      expect(await failureOf(createKey(service.stores, { shop, kind: 'secret', name })), name).to.include('--name');
    }
  });

  it('takes an end that is a day or a time to come, and nothing else', async () => {
    const shop = `ends-${process.pid}`;
    const make = (expires: string) => createKey(service.stores, { shop, kind: 'secret', expires });
    for (const expires of ['1', 'soon', '2030-02-30', '2030-01-31 10:00', '01/31/2030', '']) {
      expect(await failureOf(make(expires)), expires).to.include('--expires must be a day');
    }
    const today = new Date().toISOString().slice(0, 10);
    for (const expires of ['2001-01-01', '2020-05-05T00:00:00Z', `${today}T00:00:00Z`]) {
      expect(await failureOf(make(expires)), expires).to.include('must lie in the future');
    }
    // A day is over at its end.
    for (const expires of [today, '2100-01-31', '2100-01-31T00:00:00+02:00']) {
      expect(await statusWith(await make(expires)), expires).to.equal(200);
    }
    expect(await listKeys(service.stores, shop)).to.have.lengthOf(4);
  });

  it('import refuses a key that was revoked and one of another shop, and says why', async () => {
    const shop = `import-${process.pid}`;
    const key = `sk_old_${'a1'.repeat(20)}${process.pid}`;
    await importKey(service.stores, key, { shop, kind: 'secret' });
    expect(await statusWith(key)).to.equal(200);
    expect(await failureOf(importKey(service.stores, key, { shop: `${shop}-2`, kind: 'secret' }))).to.include(
      `belongs to the shop "${shop}"`,
    );
    await importKey(service.stores, key, { shop, kind: 'secret', name: 'renamed' });
    const [line] = (await listKeys(service.stores, shop)).slice(1);
    expect(line).to.include('renamed');
    await service.stores.keys.revoke(line?.split(' ')[0] ?? '');
    expect(await statusWith(key)).to.equal(401);
    expect(await failureOf(importKey(service.stores, key, { shop, kind: 'secret' }))).to.match(
      /was revoked at .*new one/,
    );
    expect(await statusWith(key)).to.equal(401);
  });
});
