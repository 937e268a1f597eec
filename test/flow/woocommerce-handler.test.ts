import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { marked } from 'marked';
import { readGuide } from '../../src/http/pages/docs-site.js';
import { fieldsOf } from '../../src/domain/fields.js';
import { listening, type Listening } from '../support/listening.js';
import { keptPort } from '../support/remembered-port.js';
import { WOO_KEY, wooOrders, wooShop } from '../support/platform-shops.js';
import { useService, useShop } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SECRET = 'a secret of the hooks';
const FILE = 'woo-hooks.mjs';

describe('the handler of the guide to WooCommerce', () => {
  const service = useService();
  const shop = useShop(service, { timezone: 'Europe/Berlin', currency: 'EUR' });
  const orders = wooOrders();
  const folder = temporaryFolder('woo-hooks');
  let onItsWay: Promise<unknown> = Promise.resolve();
  let woo: Listening;
  let handler: ChildProcess;
  let url: string;

  before(async () => {
    const program = marked
      .lexer(readGuide('woocommerce'))
      .find((token) => token.type === 'code' && token.lang === `js ${FILE}`);
    writeFileSync(join(folder, FILE), String(program?.type === 'code' ? program.text : ''));
    copyFileSync('dist/client.mjs', join(folder, 'client.mjs'));
    woo = await listening(wooShop(orders, () => onItsWay));
    const port = await keptPort();
    url = `http://127.0.0.1:${port}`;
    const env = {
      PROFIT_URL: service.url,
      PROFIT_KEY: shop.key,
      WOO_URL: woo.url,
      WOO_HOOK_SECRET: SECRET,
      ...WOO_KEY,
    };
    handler = spawn(process.execPath, [FILE], {
      cwd: folder,
      env: { ...process.env, ...env, PORT: String(port) },
    });
    while ((await fetch(url).catch(() => null)) === null) await sleep(50);
  });
  after(async () => {
    handler.kill();
    await woo.stop();
  });

  /** Sends a hook as WooCommerce does; the status of the answer. */
  async function send(topic: string, body: unknown, secret = SECRET): Promise<number> {
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    const signature = createHmac('sha256', secret).update(raw).digest('base64');
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-WC-Webhook-Topic': topic, 'X-WC-Webhook-Signature': signature },
      body: raw,
    });
    return status;
  }
  const figures = async (): Promise<unknown> => {
    await service.settled();
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-04-01&to=2026-04-30');
    return [body.orders, body.revenue, body.refunds];
  };

  it('is at most fifty lines', () => {
    const text = readGuide('woocommerce').split(`js ${FILE}\n`)[1]?.split('\n```')[0] ?? '';
    expect(text.split('\n').length).to.be.within(30, 50);
  });

  it('takes orders with their refunds, however often and in whatever order hooks come', async () => {
    const ids = ['4108', '4101', '4108', '4103', '4101'];
    const statuses = await Promise.all(ids.map((id) => send('order.updated', orders.get(id)?.order)));
    expect(statuses).to.deep.equal(ids.map(() => 200));
    // An old state that comes late says no more than which order it is about.
    expect(await send('order.created', { ...orders.get('4108')?.order, total: '1.00', refunds: [] })).to.equal(200);
    expect(await figures()).to.deep.equal([3, '149.05', '35.70']);
    const { body } = await shop.call('GET', '/v1/orders/4108');
    expect(body.refunds[0].refunded_at).to.match(/^2026-04-09T09:00:00/);
  });

  it('sends the last state last, where an answer of the shop takes longer than the one after it', async () => {
    const known = orders.get('4101');
    const order = fieldsOf(known?.order);
    orders.set('4101', { order: { ...order, status: 'on-hold' }, refunds: [] });
    onItsWay = sleep(300);
    const first = send('order.created', { id: 4101 });
    await sleep(100);
    onItsWay = Promise.resolve();
    orders.set('4101', { order, refunds: known?.refunds });
    expect(await Promise.all([first, send('order.updated', { id: 4101 })])).to.deep.equal([200, 200]);
    expect(await figures()).to.deep.equal([3, '149.05', '35.70']);
  });

  it('has what can not be converted among the rejections', async () => {
    expect(await send('order.updated', orders.get('4119')?.order)).to.equal(200);
    await service.settled();
    const { body } = await shop.call('GET', '/v1/ingest/rejections?kind=orders');
    expect(body.rejections[0]).to.include({ id: '4119' });
    expect(body.rejections[0].errors[0].code).to.equal('unknown_status');
  });

  it('deletes an order that is gone or in the trash, and takes it again once it is restored', async () => {
    const kept = orders.get('4103');
    orders.delete('4103');
    expect(await send('order.deleted', { id: 4103 })).to.equal(200);
    expect(await figures()).to.deep.equal([2, '113.05', '35.70']);
    expect(await send('order.deleted', { id: 999 }), 'never heard of').to.equal(200);
    const restored = fieldsOf(kept?.order);
    orders.set('4103', { order: { ...restored, status: 'trash' }, refunds: [] });
    expect(await send('order.updated', { id: 4103 })).to.equal(200);
    const later = new Date(Date.now() + 2_000).toISOString().slice(0, 19);
    orders.set('4103', { order: { ...restored, date_modified_gmt: later }, refunds: [] });
    expect(await send('order.restored', restored)).to.equal(200);
    expect(await figures()).to.deep.equal([3, '149.05', '35.70']);
  });

  it('takes nothing that is not signed, and answers the ping that WooCommerce begins with', async () => {
    const before = await figures();
    expect(await send('order.updated', orders.get('4101')?.order, 'another secret')).to.equal(401);
    expect(await send('order.deleted', { id: 4101 }, '')).to.equal(401);
    expect((await fetch(url, { method: 'POST', body: '' })).status).to.equal(401);
    expect((await fetch(url, { method: 'POST', body: 'webhook_id=12' })).status).to.equal(200);
    expect(await send('order.updated', 'not JSON')).to.equal(500);
    expect(await send('order.updated', { id: '../../v1/source' })).to.equal(200);
    expect(await figures()).to.deep.equal(before);
  });

  it('deletes nothing because its shop can not be asked, and lives on after a body that breaks off', async () => {
    const before = await figures();
    await woo.stop();
    expect(await send('order.updated', orders.get('4101')?.order)).to.equal(500);
    woo = await listening(
      createServer((_req, res) => res.writeHead(404).end('{"code":"rest_no_route"}')),
      woo.port,
    );
    expect(await send('order.updated', orders.get('4101')?.order)).to.equal(500);
    await new Promise<void>((done) => {
      const broken = request(url, { method: 'POST', headers: { 'Content-Length': '100' } }, () => undefined);
      broken.on('error', () => done());
      broken.write('{"id":');
      setTimeout(() => broken.destroy(), 100);
    });
    expect((await fetch(url, { method: 'POST', body: 'webhook_id=12' })).status).to.equal(200);
    expect(await figures()).to.deep.equal(before);
  });
});
