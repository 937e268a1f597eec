import { expect } from 'chai';
import { generateKey, hashKey, keyRecord, type StoredKey } from '../../src/domain/keys.js';
import { createKeyState } from '../../src/redis/keys.js';
import { createLocks } from '../../src/redis/locks.js';
import { createKeyRegistry, KeyTakenError, type KeyRegistry } from '../../src/repositories/keys.js';
import { createKeyStore, type KeyStore } from '../../src/warehouse/queries/keys.js';
import { startService, useService } from '../support/service.js';

describe('the registry of keys', () => {
  const service = useService({ workers: false });

  const store = (): KeyStore => createKeyStore(service.stores.warehouse);
  /** A process of its own, as far as its caches go. */
  const registry = (of: Partial<KeyStore> = {}): KeyRegistry =>
    createKeyRegistry({
      state: createKeyState(service.stores.redis),
      store: { ...store(), ...of },
      shardOf: service.stores.shards.of,
      takeStamps: service.stores.takeStamps,
      withLock: createLocks(service.stores.redis),
      now: Date.now,
    });
  const record = (key: string, shopId: string) => keyRecord({ key, shopId, kind: 'secret' }, Date.now());
  const forgetCopy = (key: string) => service.stores.redis.del(`key:${hashKey(key)}`);

  it('never brings a revoked key back by a look-up that began before the revocation', async () => {
    const key = generateKey('secret');
    const own = record(key, 'race');
    await registry().save(own);
    await forgetCopy(key);

    // The look-up has read the live record, and is held up before it keeps what it read.
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let read: (found: StoredKey[]) => void = () => undefined;
    const hasRead = new Promise<StoredKey[]>((resolve) => (read = resolve));
    const slow = registry({
      async find(hashes) {
        const found = await store().find(hashes);
        read(found);
        await held;
        return found;
      },
    });
    const looked = slow.find(key);
    expect((await hasRead)[0]?.record.revokedAt).to.equal(null);
    const revoked = await registry().revoke(own.keyId);
    expect(revoked?.revokedAt).to.be.a('number');
    goOn();

    expect((await looked)?.revokedAt, 'what the look-up gives').to.equal(revoked?.revokedAt);
    expect((await registry().find(key))?.revokedAt, 'what is known afterwards').to.equal(revoked?.revokedAt);
    await forgetCopy(key);
    expect((await registry().find(key))?.revokedAt, 'what the warehouse holds').to.equal(revoked?.revokedAt);
  });

  it('finishes a revocation that the warehouse had not taken', async () => {
    const key = generateKey('secret');
    const own = record(key, 'race');
    await registry().save(own);
    const away = registry({ write: () => Promise.reject(new Error('the warehouse is away')) });
    const refused = await away.revoke(own.keyId).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(refused).to.include('the warehouse is away');
    expect((await registry().find(key))?.revokedAt, 'it works nowhere already').to.be.a('number');

    const revoked = await registry().revoke(own.keyId);
    expect((await registry().list('race')).find(({ keyId }) => keyId === own.keyId)?.revokedAt, 'the list')
      .to.be.a('number')
      .and.to.equal(revoked?.revokedAt);
    await forgetCopy(key);
    expect((await registry().find(key))?.revokedAt, 'what the warehouse holds').to.equal(revoked?.revokedAt);
  });

  it('writes a revocation again when it is asked for again, since the first write may have failed', async () => {
    const own = record(generateKey('secret'), 'again');
    await registry().save(own);
    const revoked = await registry().revoke(own.keyId);
    const written: StoredKey[] = [];
    const counted = registry({
      write(record, version) {
        written.push({ record, version });
        return store().write(record, version);
      },
    });
    for (const change of [counted.revoke(own.keyId), counted.end(own.keyId, { expiresAt: Date.now() + 1e6 })]) {
      expect(await change).to.deep.equal(revoked);
    }
    expect(written.map(({ record: { revokedAt } }) => revokedAt)).to.deep.equal([
      revoked?.revokedAt,
      revoked?.revokedAt,
    ]);
  });

  it('keeps a key revoked when it is rotated at the same time', async () => {
    for (let i = 0; i < 10; i++) {
      const key = generateKey('secret');
      const own = record(key, 'race');
      await registry().save(own);
      await Promise.all([registry().end(own.keyId, { expiresAt: Date.now() + 1e6 }), registry().revoke(own.keyId)]);
      expect((await registry().find(key))?.revokedAt).to.be.a('number');
      await forgetCopy(key);
      expect((await registry().find(key))?.revokedAt).to.be.a('number');
    }
  });

  it('refuses to register a revoked key, and one of another shop, also when Redis has forgotten it', async () => {
    for (const forget of [false, true]) {
      const [revoked, taken] = [generateKey('secret'), generateKey('secret')];
      for (const key of [revoked, taken]) await registry().save(record(key, 'owner'));
      await registry().revoke(record(revoked, 'owner').keyId);
      if (forget) for (const key of [revoked, taken]) await forgetCopy(key);
      const refusal = (key: string, shop: string) =>
        registry()
          .save(record(key, shop))
          .then(
            () => null,
            (error: unknown) => error,
          );
      const again = await refusal(revoked, 'owner');
      expect(again).to.be.instanceOf(KeyTakenError);
      expect(String(again)).to.match(/was revoked at \d{4}-/);
      const moved = await refusal(taken, 'thief');
      expect(moved).to.be.instanceOf(KeyTakenError);
      expect(String(moved)).to.include('belongs to the shop "owner"');
      expect((await registry().find(taken))?.shopId).to.equal('owner');
      expect(await refusal(taken, 'owner'), 'the same shop may register it again').to.equal(null);
    }
  });

  it('asks the warehouse one question at a time, however many unknown keys come', async () => {
    let [questions, underWay, most, asked] = [0, 0, 0, 0];
    const counted = registry({
      async find(hashes) {
        questions++;
        asked += hashes.length;
        most = Math.max(most, ++underWay);
        return store()
          .find(hashes)
          .finally(() => underWay--);
      },
    });
    const keys = Array.from({ length: 900 }, () => generateKey('secret'));
    const known = generateKey('secret');
    await registry().save(record(known, 'crowd'));
    await forgetCopy(known);
    const found = await Promise.all([...keys, known].map((key) => counted.find(key)));
    expect(found.filter((one) => one !== null).map(({ shopId }) => shopId)).to.deep.equal(['crowd']);
    expect(most).to.equal(1);
    expect(questions).to.be.below(20);
    expect(asked).to.equal(901);

    // Unknown ones are remembered for a moment; a key of that name that is made meanwhile works at once.
    await Promise.all(keys.map((key) => counted.find(key)));
    expect(asked).to.equal(901);
    await registry().save(record(keys[0] ?? '', 'late'));
    expect((await counted.find(keys[0] ?? ''))?.shopId).to.equal('late');
  });
});

describe('unknown API keys', () => {
  it('are limited by address, and known keys go on behind the same address', async () => {
    const service = await startService({
      workers: false,
      env: { RATE_LIMIT_UNKNOWN_KEYS: '5', TRUSTED_PROXIES: '1' },
    });
    try {
      const shop = await service.shop();
      const knock = (key: string, address: string) =>
        service.call('GET', '/v1/source', { key, headers: { 'X-Forwarded-For': address } });
      const flood = async (addresses: (i: number) => string) => {
        const answers = [];
        for (let i = 0; i < 8; i++) answers.push(await knock(generateKey('secret'), addresses(i)));
        return answers;
      };
      const answers = await flood(() => '198.51.100.7');
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401, 429, 429, 429]);
      const [last] = answers.slice(-1);
      expect(last?.body.errors[0].code).to.equal('rate_limited');
      expect(Number(last?.headers.get('retry-after'))).to.be.within(1, 60);
      expect((await knock(shop.key, '198.51.100.7')).status, 'a known key').to.equal(200);
      expect((await knock(generateKey('secret'), '198.51.100.8')).status, 'another address').to.equal(401);
      const network = await flood((i) => `2001:db8:1:2:${i}::9`);
      expect(network.map(({ status }) => status).filter((status) => status === 429)).to.have.lengthOf(3);
      const same = generateKey('secret');
      for (let i = 0; i < 8; i++) expect((await knock(same, '198.51.100.9')).status, 'one key again').to.equal(401);
    } finally {
      await service.stop();
    }
  });
});
