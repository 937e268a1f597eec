import { scrypt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createResolve, isPublicAddress } from '../../src/webhooks/addresses.js';
import { createSendWebhook, urlFault } from '../../src/webhooks/send.js';
import { startReceiver, type Receiver } from '../support/webhook-receiver.js';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const message = (url: string) => ({ url, secret: SECRET, id: 'msg-1', payload: '{"a":1}' });
const PRIVATE = 'The host has an address of a private network.';

describe('sending a webhook', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  it('refuses an address of this machine or of a private network, however it is written', async () => {
    const send = createSendWebhook({ allowPrivate: false });
    const { port } = new URL(receiver.url);
    const hosts = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'];
    for (const host of hosts) {
      expect(await send(message(`https://${host}:${port}/`)), host).to.deep.equal({ problem: PRIVATE });
    }
    expect(await send(message(receiver.url))).to.deep.equal({
      problem: 'The address must be an address that starts with https://.',
    });
    expect(receiver.received).to.deep.equal([]);
  });

  it('knows addresses of the internet from all others', () => {
    const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'];
    const closed =
      '10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 127.9.9.9 0.1.2.3 224.0.0.1 ' +
      '255.255.255.255 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ' +
      '::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 2001:0:1:: ::127.0.0.1 fec0::1';
    expect(open.filter((address) => !isPublicAddress(address))).to.deep.equal([]);
    expect(closed.split(' ').filter((address) => isPublicAddress(address))).to.deep.equal([]);
  });

  it('looks a name up once and connects to exactly that address', async () => {
    const { port } = new URL(receiver.url);
    const other = await startReceiver(Number(port), '127.0.0.2');
    const answers = ['127.0.0.1', '127.0.0.2'];
    let asked = 0;
    const resolve = () => Promise.resolve([{ address: answers[asked++] ?? '127.0.0.2', family: 4 }]);
    const send = createSendWebhook({ allowPrivate: true, resolve });
    expect(await send(message(`http://shop.example:${port}/hook`))).to.deep.equal({ status: 204 });
    expect(asked).to.equal(1);
    expect(receiver.received.map(({ headers }) => headers.host)).to.deep.equal([`shop.example:${port}`]);
    expect(other.received).to.deep.equal([]);
    await other.stop();
  });

  it('does not reach this machine by a name that is a public address first', async () => {
    const { port } = new URL(receiver.url);
    let asked = 0;
    const resolve = () => Promise.resolve([{ address: asked++ === 0 ? '203.0.114.1' : '127.0.0.1', family: 4 }]);
    const send = createSendWebhook({ allowPrivate: false, resolve, timeoutMs: 500 });
    expect(await send(message(`https://shop.example:${port}/`))).to.have.property('problem');
    expect(asked).to.equal(1);
    expect(receiver.received).to.deep.equal([]);
    // One private address among public ones is enough to refuse the name.
    const mixed = () => Promise.resolve(['8.8.8.8', '10.0.0.1'].map((address) => ({ address, family: 4 })));
    const refusing = createSendWebhook({ allowPrivate: false, resolve: mixed });
    expect(await refusing(message('https://shop.example/'))).to.deep.equal({ problem: PRIVATE });
  });

  it('follows no redirect, and takes any other answer as it is', async () => {
    const send = createSendWebhook({ allowPrivate: true });
    receiver.answers.splice(0, 1, 307, 410);
    expect(await send(message(receiver.url))).to.deep.equal({ status: 307 });
    expect(await send(message(receiver.url))).to.deep.equal({ status: 410 });
    expect(receiver.received).to.have.length(2);
  });

  it('waits for a name and for an answer for a bounded time', async () => {
    const silent = createSendWebhook({
      allowPrivate: true,
      resolve: () => new Promise(() => undefined),
      timeoutMs: 200,
    });
    expect(await silent(message('http://shop.example/'))).to.deep.equal({ problem: 'There was no answer in time.' });
    const refused = createSendWebhook({ allowPrivate: true });
    expect(await refused(message('http://127.0.0.1:1/'))).to.deep.equal({
      problem: 'It could not be reached (ECONNREFUSED).',
    });
  });

  it('looks names up without the threads in which passwords are hashed', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const resolve = createResolve([`127.0.0.1:${silent.address().port}`]);
    const looks = Array.from({ length: 16 }, (_, i) => resolve(`shop-${i}.example`).catch(() => 'over'));
    const hash = promisify(scrypt);
    await Promise.all(Array.from({ length: 4 }, () => hash('a password', 'a salt', 32)));
    const first = await Promise.race([...looks, Promise.resolve('all wait')]);
    expect(first).to.equal('all wait');
    silent.close();
    expect(await resolve('127.0.0.1')).to.deep.equal([{ address: '127.0.0.1', family: 4 }]);
  });

  it('takes no address with a name and a password, and no other scheme', () => {
    const faults = ['https://a.example/', 'https://u:p@a.example/', 'http://a.example/', 'file:///etc/passwd'].map(
      (url) => urlFault(url, false) === undefined,
    );
    expect(faults).to.deep.equal([true, false, false, false]);
    expect(urlFault('http://a.example/', true)).to.equal(undefined);
  });
});
