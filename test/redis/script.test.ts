import { expect } from 'chai';
import { connectState } from '../../src/redis/redis.js';
import { script } from '../../src/redis/script.js';
import { sharedEngines } from '../support/shared-engines.js';

describe('a script', () => {
  it('is known to a pipeline that began before it, and to a Redis that forgot it', async () => {
    const redis = connectState({ url: (await sharedEngines()).redis.url });
    try {
      const lua = `return KEYS[1] .. ':' .. cjson.decode(ARGV[1]).n -- ${Math.random()}`;
      const [pong, first] = await Promise.all([redis.ping(), script(redis, lua)(['a'], { n: 1 })]);
      expect([pong, first]).to.deep.equal(['PONG', 'a:1']);
      await redis.script('FLUSH');
      expect(await script(redis, lua)(['b'], { n: 2 })).to.equal('b:2');
    } finally {
      redis.disconnect();
    }
  });

  it('tells its own failure', async () => {
    const redis = connectState({ url: (await sharedEngines()).redis.url });
    try {
      const failure = await script(redis, `return redis.error_reply('ODD no such thing')`)([], {}).catch(
        (e: unknown) => e,
      );
      expect(String(failure)).to.include('ODD no such thing');
    } finally {
      redis.disconnect();
    }
  });
});
