import { expect } from 'chai';
import { createTicket, signInLink, TICKET_TTL_MS } from '../../src/console/server/ticket.js';
import { startService, useService } from '../support/service.js';
import { ADMIN_TOKEN, freshAddress, json, OPERATOR_ENV, refusalOf, signInAsOperator, trySignIn } from './support.js';

describe('signing in', () => {
  const service = useService({ workers: false, env: OPERATOR_ENV });

  const from = (address = freshAddress()) => ({ 'X-Forwarded-For': address });

  it('sets a cookie that scripts and other sites never get, secure behind TLS', async () => {
    const plain = await trySignIn(service, { token: ADMIN_TOKEN }, from());
    expect(plain.headers.get('set-cookie')).to.match(
      /^profit_session_\d+=[\w-]{43}; Max-Age=2592000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    const tls = await trySignIn(service, { token: ADMIN_TOKEN }, { ...from(), 'X-Forwarded-Proto': 'https' });
    expect(tls.headers.get('set-cookie')).to.match(/^__Host-profit_session.*; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('takes a printed ticket once', async () => {
    const ticket = createTicket(ADMIN_TOKEN, Date.now());
    expect((await trySignIn(service, { ticket }, from())).status).to.equal(204);
    const again = await trySignIn(service, { ticket }, from());
    expect(await refusalOf(again)).to.equal('401 sign_in_refused');
    expect(signInLink('http://h', ADMIN_TOKEN, 0))
      .to.match(/^http:\/\/h\/signin#ticket=/)
      .and.not.contain(ADMIN_TOKEN);
  });

  it('refuses a ticket that is too old, altered, or of another token', async () => {
    const good = createTicket(ADMIN_TOKEN, Date.now());
    const [, nonce = '', signature = ''] = good.split('.');
    const later = (Date.now() + 10 * TICKET_TTL_MS).toString(36);
    const bad = [
      createTicket(ADMIN_TOKEN, Date.now() - TICKET_TTL_MS - 1),
      createTicket(`${ADMIN_TOKEN}x`, Date.now()),
      `${later}.${nonce}.${signature}`,
      good.slice(0, -1),
      '..',
    ];
    for (const ticket of bad) expect((await trySignIn(service, { ticket }, from())).status, ticket).to.equal(401);
  });

  it('limits failed tries of a network, also when they come at once, but never the right token', async () => {
    const address = from();
    const burst = await Promise.all(Array.from({ length: 12 }, () => trySignIn(service, { token: 'no' }, address)));
    expect(burst.filter(({ status }) => status === 401)).to.have.lengthOf(5);
    for (const proof of [{ token: 'no' }, { token: ADMIN_TOKEN.slice(0, -1) }]) {
      const refused = await trySignIn(service, proof, address);
      expect(await refusalOf(refused)).to.equal('429 too_many_tries');
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    }
    expect((await trySignIn(service, { token: ADMIN_TOKEN }, address)).status).to.equal(204);

    for (const addressOf of [
      (i: number) => `2001:db8:${process.pid % 9999}:1::${i}`,
      (i: number) => `198.51.100.${i}`,
    ]) {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          trySignIn(service, { token: 'no' }, { 'X-Forwarded-For': addressOf(i + 1) }),
        ),
      );
      expect(answers.filter(({ status }) => status === 401)).to.have.lengthOf(5);
    }

    const other = from();
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 4; j++) expect((await trySignIn(service, { token: 'no' }, other)).status).to.equal(401);
      expect((await trySignIn(service, { token: ADMIN_TOKEN }, other)).status).to.equal(204);
    }
  });

  it('refuses requests that another site made the browser send', async () => {
    const operator = await signInAsOperator(service);
    const shop = '/app/api/shops/forged/keys';
    const body = { kind: 'publishable' };
    const headers: [string, Record<string, string>][] = [
      ['cross_site', { Origin: 'https://evil.example' }],
      ['cross_site', { Origin: 'null' }],
      ['cross_site', { 'Sec-Fetch-Site': 'cross-site' }],
      ['cross_site', { 'Sec-Fetch-Site': 'same-site' }],
      ['cross_site', { 'Sec-Fetch-Site': 'none' }],
      ['csrf_token', { 'X-CSRF-Token': '' }],
      ['csrf_token', { 'X-CSRF-Token': 'a'.repeat(operator.csrf.length) }],
    ];
    for (const [code, extra] of headers) {
      const answer = await operator.post(shop, body, extra);
      expect(await refusalOf(answer), JSON.stringify(extra)).to.equal(`403 ${code}`);
    }
    const silent = await fetch(service.url + shop, {
      method: 'POST',
      headers: { Cookie: operator.cookie },
      body: '{}',
    });
    expect(await refusalOf(silent)).to.equal('403 cross_site');
    expect((await json(await operator.get(shop))).keys).to.deep.equal([]);
    expect((await operator.post(shop, body)).status).to.equal(201);
  });

  it('signs out for good, and keeps nothing in Redis that would sign in', async () => {
    const operator = await signInAsOperator(service);
    const secret = operator.cookie.split('=')[1] ?? '';
    const dump = await service.stores.redis.keys('*');
    expect(dump.join()).to.not.contain(secret).and.not.contain(ADMIN_TOKEN);
    expect((await operator.post('/app/api/sign-out')).status).to.equal(204);
    expect((await operator.get('/app/api/session')).status).to.equal(401);
    expect((await operator.get('/')).headers.get('location')).to.equal('/signin?next=%2F');
  });

  it('sends pages under a strict policy, and to nobody who is not signed in', async () => {
    const page = await fetch(`${service.url}/developers?shop=a`, { redirect: 'manual' });
    expect(page.headers.get('location')).to.equal('/signin?next=%2Fdevelopers%3Fshop%3Da');
    const operator = await signInAsOperator(service);
    const policy = (await operator.get('/developers')).headers.get('content-security-policy') ?? '';
    expect(policy).to.contain("default-src 'none'").and.contain("script-src 'self'").and.not.contain('unsafe');
    for (const path of ['/app/api/shops', '/app/api/shops/a/keys', '/app/api/shops/a/v1/metrics']) {
      expect((await fetch(service.url + path)).status, path).to.equal(401);
    }
  });

  it('is off without an admin token, and says so', async () => {
    const off = await startService({ workers: false, env: { ADMIN_TOKEN: '' } });
    try {
      const answer = await trySignIn(off, { token: '' });
      expect((await json(answer, 503)).errors[0].message).to.equal(
        'Signing in is off: set ADMIN_TOKEN and start the service again.',
      );
    } finally {
      await off.stop();
    }
  });
});
