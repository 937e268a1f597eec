import { expect } from 'chai';
import { order, source } from '../support/error-cases.js';
import { useFreshShop, useService } from '../support/service.js';

describe('the source', () => {
  const service = useService();
  const shop = useFreshShop(service);
  const put = (fields: object) => shop.call('PUT', '/v1/source', { ...source, ...fields });

  it('keeps its time zone in the spelling of the list', async () => {
    for (const [given, kept] of [
      ['europe/BERLIN', 'Europe/Berlin'],
      ['utc', 'UTC'],
      ['Asia/Calcutta', 'Asia/Calcutta'],
    ]) {
      expect((await put({ timezone: given })).body.timezone).to.equal(kept);
      expect((await shop.call('GET', '/v1/source')).body.timezone).to.equal(kept);
    }
  });

  it('names the nearest time zone where it refuses one', async () => {
    for (const [given, nearest] of [
      ['BST', 'Europe/London'],
      ['VST', 'Asia/Ho_Chi_Minh'],
      ['UTC+1', 'Etc/GMT-1'],
      ['Berlin', 'Europe/Berlin'],
    ]) {
      const { status, body } = await put({ timezone: given });
      expect(status, given).to.equal(400);
      expect(body.errors[0].message).to.include(`"${nearest}"`);
    }
  });

  it('takes its locked time zone in another case as the same', async () => {
    await put({ timezone: 'Europe/Berlin' });
    expect((await shop.call('POST', '/v1/orders', { orders: [order()] })).body.accepted).to.equal(1);
    const same = await put({ timezone: 'EUROPE/berlin', platform: 'other' });
    expect([same.status, same.body.timezone, same.body.platform]).to.deep.equal([200, 'Europe/Berlin', 'other']);
    expect((await put({ timezone: 'Europe/Paris' })).status).to.equal(409);
  });

  it('tells which setting is locked, and what it stays', async () => {
    await put({ currency: 'EUR', timezone: 'Europe/Berlin' });
    await shop.call('POST', '/v1/orders', { orders: [order({ currency: 'EUR' })] });
    const { status, body } = await put({ currency: 'USD', timezone: 'Europe/Paris' });
    const stays = (field: string, value: string) => ({
      code: 'source_locked',
      message: `${field} stays ${value} after the first accepted order, test orders included; only another shop can have another.`,
      field,
    });
    expect(status).to.equal(409);
    expect(body.errors).to.deep.equal([stays('currency', 'EUR'), stays('timezone', 'Europe/Berlin')]);
    expect((await put({ currency: 'USD', timezone: 'europe/berlin' })).body.errors).to.deep.equal([
      stays('currency', 'EUR'),
    ]);
  });

  it('refuses a platform with the name of another connection', async () => {
    for (const platform of [
      'pixel',
      'Pixel',
      ' pixel ',
      '   ',
      '\u2003',
      '\u200b\u00ad',
      'pixel\u200b',
      'custom:',
      'Custom:radio',
      ' custom:radio',
    ]) {
      const { status, body } = await put({ platform });
      expect([status, body.errors?.[0].field], platform).to.deep.equal([400, 'platform']);
    }
    for (const platform of ['custom', 'pixels', 'my pixel', 'Öl & Essig']) {
      expect((await put({ platform })).status, platform).to.equal(200);
    }
  });

  it('takes a host name as its domain, and nothing around one', async () => {
    for (const shop_domain of [
      'shop.example.com',
      'localhost',
      'müller.example',
      'xn--mller-kva.example',
      'a.b-c.example.',
    ]) {
      expect((await put({ shop_domain })).status, shop_domain).to.equal(200);
    }
    const wrong = [
      'javascript:',
      'https:',
      'shop.example.com:80',
      'u@shop.example',
      'a..b',
      '-a.example',
      'a b.example',
      '.',
      '*.a',
    ];
    for (const shop_domain of [
      ...wrong,
      'https://shop.example.com',
      'shop.example.com/x',
      `${'a'.repeat(64)}.example`,
    ]) {
      const { status, body } = await put({ shop_domain });
      expect([status, body.errors?.[0].code, body.errors?.[0].field], shop_domain).to.deep.equal([
        400,
        'invalid_value',
        'shop_domain',
      ]);
      expect(body.errors[0].message, shop_domain).to.include(`it is "${shop_domain}"`);
    }
  });

  it('keeps further hosts, once each, until they are replaced', async () => {
    const kept = async (): Promise<unknown> => (await shop.call('GET', '/v1/source')).body.own_hosts;
    const { status, body } = await put({ own_hosts: ['Pay.Example.NET', '*.müller.example', 'pay.example.net.'] });
    expect([status, body.own_hosts]).to.deep.equal([200, ['pay.example.net', '*.xn--mller-kva.example']]);
    expect((await put({})).body.own_hosts).to.deep.equal(body.own_hosts);
    expect(await kept()).to.deep.equal(body.own_hosts);
    expect((await put({ own_hosts: [] })).body).not.to.have.property('own_hosts');
    expect(await kept()).to.equal(undefined);
  });

  it('tells each host that can never match, and a list that is too long', async () => {
    const wrong = await put({ own_hosts: ['a.example', 'https://b.example', '*', ''] });
    expect(wrong.status).to.equal(400);
    expect(wrong.body.errors.map((error: { code: string; field: string }) => [error.code, error.field])).to.deep.equal([
      ['invalid_value', 'own_hosts[1]'],
      ['invalid_value', 'own_hosts[2]'],
      ['invalid_value', 'own_hosts[3]'],
    ]);
    const long = await put({ own_hosts: Array.from({ length: 51 }, (_, i) => `h${i}.example`) });
    expect([long.status, long.body.errors[0].field]).to.deep.equal([400, 'own_hosts']);
    expect((await put({ own_hosts: Array.from({ length: 50 }, (_, i) => `h${i}.example`) })).status).to.equal(200);
  });
});
