import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { hashKey, keyRecord, SCOPES, type KeyKind, type Scope } from '../../src/domain/keys.js';
import type { Operation } from '../../src/http/openapi/operation.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { startService, useService, useShop, type Answer, type Service } from '../support/service.js';

/** A request that reaches the door of an operation; what comes after the door does not matter here. */
const knock = (service: Service, { method, path, body }: Operation, key?: string): Promise<Answer> =>
  service.call(method.toUpperCase(), path.replace(/\{\w+\}/g, 'x'), {
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body: {} }),
  });

const GUARDED = OPERATIONS.filter(({ scope }) => scope !== null && scope !== 'collect');
const admits = (scope: Operation['scope'], kind: KeyKind, scopes: readonly Scope[]): boolean =>
  scope === 'secret' ? kind === 'secret' : scope !== null && scopes.includes(scope);

describe('keys', () => {
  const service = useService();
  const shop = useShop(service);

  const writes = SCOPES.filter((scope) => scope.endsWith(':write'));
  const KINDS: [string, KeyKind, Scope[] | undefined][] = [
    ['a publishable key', 'publishable', undefined],
    ['a pixel token', 'pixel', undefined],
    ['a secret key', 'secret', undefined],
    ['a secret key that reads', 'secret', ['read']],
    ...writes.map((scope): [string, KeyKind, Scope[]] => [`a secret key with ${scope}`, 'secret', [scope]]),
  ];
  for (const [name, kind, scopes] of KINDS) {
    it(`${name} opens what it may and nothing else`, async () => {
      const key = await service.key(shop.id, kind, scopes);
      const record = await service.stores.keys.find(key);
      for (const operation of GUARDED) {
        const answer = await knock(service, operation, key);
        const place = `${operation.method} ${operation.path}`;
        if (admits(operation.scope, kind, record?.scopes ?? [])) {
          expect(answer.status, place).not.to.be.oneOf([401, 403]);
        } else {
          expect([answer.status, answer.body.errors[0].code], place).to.deep.equal([403, 'forbidden_scope']);
          const needed = operation.scope === 'secret' ? 'a secret key' : `scope ${operation.scope}`;
          expect(answer.body.errors[0].message, place).to.include(needed);
        }
      }
    });
  }

  it('a refused key is told what it lacks and what it has', async () => {
    for (const [kind, scopes, has] of [
      ['secret', ['read', 'costs:write'], 'secret key with scope read, costs:write'],
      ['publishable', undefined, 'publishable key, which only reads'],
      ['pixel', undefined, 'pixel token, which only collects events'],
    ] as const) {
      const key = await service.key(shop.id, kind, scopes && [...scopes]);
      const { body } = await service.call('POST', '/v1/orders', { key, body: {} });
      expect(body.errors[0].message).to.equal(
        `This request needs a secret key with scope orders:write; yours is a ${has}.`,
      );
    }
  });

  it('a request without a live key gets nowhere', async () => {
    const unknown = `sk_svc_${'0'.repeat(64)}`;
    for (const operation of GUARDED) {
      for (const key of [undefined, unknown, 'x', shop.key.toUpperCase(), `${shop.key}0`]) {
        const answer = await knock(service, operation, key);
        expect([answer.status, answer.body.errors[0].code]).to.deep.equal([401, 'unauthorized']);
      }
    }
  });

  it('a key of an older spelling works once its hash is registered', async () => {
    for (const [prefix, kind] of [['pk_', 'publishable'], ['sk_', 'secret'], ['', 'secret']] as const) {
      const key = prefix + randomBytes(24).toString('hex');
      expect((await service.call('GET', '/v1/source', { key })).status).to.equal(401);
      await service.stores.keys.save(keyRecord({ key, shopId: shop.id, kind }, Date.now()));
      const answer = await service.call('GET', '/v1/source', { key });
      expect(answer.status, `${prefix}…`).to.equal(200);
    } // prettier-ignore
  });

  it('a key of one shop never reaches another', async () => {
    const other = await service.shop({ currency: 'USD' });
    expect((await other.call('GET', '/v1/source')).body.currency).to.equal('USD');
    expect((await shop.call('GET', '/v1/source')).body.currency).to.equal('EUR');
  });

  it('a revoked key stops working in every process within five seconds', async () => {
    const key = await service.key(shop.id);
    const second = await startService({ workers: false });
    try {
      for (const one of [service, second]) expect((await one.call('GET', '/v1/source', { key })).status).to.equal(200);
      const record = await service.stores.keys.find(key);
      await service.stores.keys.revoke(record?.keyId ?? '');
      const revoked = Date.now();
      for (;;) {
        const asked = Date.now();
        if ((await second.call('GET', '/v1/source', { key })).status !== 200) break;
        expect(asked - revoked, 'it worked for one who asked after that time').to.be.below(5_000);
        await sleep(50);
      }
      for (const one of [service, second]) expect((await one.call('GET', '/v1/source', { key })).status).to.equal(401);
    } finally {
      await second.stop();
    }
  });

  it('a key expires at its time', async () => {
    let key: string;
    let expiresAt: number;
    let status: number;
    // Again with another one where a busy machine took longer to store and use it than it is valid.
    do {
      key = `sk_svc_${randomBytes(32).toString('hex')}`;
      expiresAt = Date.now() + 6_000;
      await service.stores.keys.save(keyRecord({ key, shopId: shop.id, kind: 'secret', expiresAt }, Date.now()));
      ({ status } = await service.call('GET', '/v1/source', { key }));
    } while (status !== 200 && Date.now() >= expiresAt);
    expect(status).to.equal(200);
    await sleep(expiresAt - Date.now() + 10);
    const answer = await service.call('GET', '/v1/source', { key });
    expect([answer.status, answer.body.errors[0].code]).to.deep.equal([401, 'unauthorized']);
  });

  it('is never stored, only its hash', async () => {
    const rows = await service.stores.warehouse.query('SELECT * FROM api_keys');
    const secret = shop.key.slice(7);
    expect(JSON.stringify(rows)).to.include(hashKey(shop.key)).and.not.include(secret);
    for (const name of await service.stores.redis.keys('key:*')) {
      expect(name + String(await service.stores.redis.get(name))).not.to.include(secret);
    }
  });

  it('are counted: each has its own rate of reads and of writes', async () => {
    const slow = await startService({ workers: false, env: { RATE_LIMIT_READS: '3', RATE_LIMIT_WRITES: '2' } });
    try {
      const [a, b] = [await service.key(shop.id), await service.key(shop.id)];
      const read = (key: string) => slow.call('GET', '/v1/metrics/definitions', { key });
      const second = (): number => Math.floor(Date.now() / 1_000);
      let answers: Answer[];
      let began: number;
      do {
        // All within one second, so that the limit can't begin anew between them, and none counted with those of a try before.
        await sleep(2_000 - (Date.now() % 1_000));
        began = second();
        answers = [await read(a), await read(a), await read(a), await read(a), await read(a)];
      } while (second() !== began);
      const passed = answers.filter(({ status }) => status === 200);
      expect(passed[0]?.headers.get('ratelimit-limit')).to.equal('3');
      expect(passed.map(({ headers }) => headers.get('ratelimit-remaining'))).to.deep.equal(['2', '1', '0']);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body.errors[0].code).to.equal('rate_limited');
      expect(refused?.headers.get('retry-after')).to.equal('1');
      expect(refused?.headers.get('ratelimit-remaining')).to.equal('0');
      expect(refused?.headers.get('ratelimit-reset')).to.equal('1');
      expect((await read(b)).status, 'another key').to.equal(200);
      const source = { platform: 'test', currency: 'EUR', timezone: 'UTC' };
      expect((await slow.call('PUT', '/v1/source', { key: a, body: source })).status, 'its writes').to.equal(200);
      await sleep(1_100);
      expect((await read(a)).status, 'the next second').to.equal(200);
    } finally {
      await slow.stop();
    }
  });
});
