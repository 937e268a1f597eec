import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startService, type Answer, type Service } from '../support/service.js';

const body = (token: string) => ({
  token,
  events: [
    {
      event_id: randomUUID(),
      type: 'page_view',
      ts: new Date().toISOString(),
      anon_id: 'v',
      consent: 'analytics',
      url: 'https://shop.example.com/',
    },
  ],
});

describe('limits of POST /v1/collect', () => {
  const withLimits = async (
    env: NodeJS.ProcessEnv,
    run: (send: (query?: string, headers?: Record<string, string>, other?: string) => Promise<Answer>) => Promise<void>,
  ): Promise<void> => {
    const service: Service = await startService({ workers: false, env });
    const token = await service.key(`limits-${randomUUID().slice(0, 8)}`, 'pixel');
    try {
      await run((query = '', headers = {}, other = token) =>
        service.call('POST', `/v1/collect${query}`, { headers, body: body(other) }),
      );
    } finally {
      await service.stop();
    }
  };
  /** All at once, so that they meet in one second; twice, so that one of the rounds surely does. */
  const burst = async (send: () => Promise<Answer>): Promise<Answer[]> => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => send()));
    return [...answers, ...(await Promise.all(Array.from({ length: 12 }, () => send())))];
  };

  it('stop a token that sends too often', async () => {
    await withLimits({ RATE_LIMIT_COLLECT_TOKEN: '4' }, async (send) => {
      const answers = await burst(() => send());
      const over = answers.find(({ status }) => status === 429);
      expect(over?.body.errors[0].code).to.equal('rate_limited');
      expect(over?.headers.get('retry-after')).to.equal('1');
      expect(over?.headers.get('access-control-allow-origin')).to.equal('*');
      const within = answers.find(({ status }) => status === 204);
      expect(within?.headers.get('ratelimit-limit')).to.equal('4');
      expect(Number(within?.headers.get('ratelimit-remaining'))).to.be.within(0, 3);
    });
  });

  it('stop an address, the one that trusted proxies name', async () => {
    await withLimits({ RATE_LIMIT_COLLECT_ADDRESS: '4', TRUSTED_PROXIES: '1' }, async (send) => {
      const one = await burst(() => send('', { 'X-Forwarded-For': '198.51.100.1' }));
      expect(one.some(({ status }) => status === 429)).to.equal(true);
      const many = await Promise.all(
        Array.from({ length: 12 }, (_, i) => send('', { 'X-Forwarded-For': `198.51.100.${10 + i}` })),
      );
      expect(many.every(({ status }) => status === 204)).to.equal(true);
    });
  });

  it('stop debug=1 after six a minute, and nothing else', async () => {
    await withLimits({ RATE_LIMIT_DEBUG: '6' }, async (send) => {
      const statuses: number[] = [];
      for (let i = 0; i < 14; i++) statuses.push((await send('?debug=1')).status);
      // Twelve pass when a new minute begins in between.
      expect(statuses.filter((status) => status === 200).length).to.be.within(6, 12);
      expect(statuses).to.include(429);
      expect((await send()).status).to.equal(204);
    });
  });

  it('answer 503 with Retry-After when the queue is over its budget', async () => {
    await withLimits({ QUEUE_MAX_BYTES: String(1024 ** 2) }, async (send) => {
      let answer = await send();
      for (let tries = 0; answer.status === 204 && tries < 50; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        answer = await send();
      }
      expect([answer.status, answer.body.errors?.[0].code]).to.deep.equal([503, 'queue_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    });
  });
});
