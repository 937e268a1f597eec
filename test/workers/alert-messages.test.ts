import { expect } from 'chai';
import type { Alert } from '../../src/domain/alerts.js';
import type { AlertOfShop } from '../../src/warehouse/queries/alerts.js';
import { createAlertMessageLoop } from '../../workers/alert-messages.js';

const AT = Date.UTC(2026, 2, 1);

describe('messages of alerts', () => {
  const alertOf = (alertId: string, nextAt: number): Alert => ({
    alertId,
    nextAt,
    kind: 'day_lost',
    day: '2026-03-01',
    measured: '-1',
    threshold: '0',
    since: AT,
    endedAt: null,
    delivery: 'waiting',
    attempts: 0,
    problem: '',
  });

  it('of a shop wait for no turn of a hundred others whose receivers give no answer', async () => {
    const slow = Array.from({ length: 100 }, (_, i) => `slow-${i}`);
    // All of the slow ones waited for longer.
    const waiting: AlertOfShop[] = [
      ...slow.flatMap((shopId) =>
        Array.from({ length: 60 }, (_, i) => ({ shopId, alert: alertOf(`${shopId} ${i}`, AT) })),
      ),
      ...Array.from({ length: 30 }, (_, i) => ({ shopId: 'quick', alert: alertOf(`quick ${i}`, AT + 1_000) })),
    ];
    const sent: string[] = [];
    const turns = new Map<string, number>();
    let now = AT + 2_000;
    const errors: unknown[] = [];
    /** Those who wait at the same moment are told together that there is no answer. */
    const unanswered: (() => void)[] = [];
    let waits = 0;
    const endWait = (): void => {
      waits++;
      for (const end of unanswered.splice(0)) end();
    };
    const turn = createAlertMessageLoop({
      now: () => now,
      claim: (work) => work(() => Promise.resolve()),
      turns: {
        last: (shops) => Promise.resolve(shops.map((shop) => turns.get(shop) ?? 0)),
        note: (shop, at) => Promise.resolve(void turns.set(shop, at)),
      },
      store: {
        dueShops: () => Promise.resolve([...new Set(waiting.map(({ shopId }) => shopId))]),
        due: (shops, _now, most) =>
          Promise.resolve(shops.flatMap((id) => waiting.filter(({ shopId }) => shopId === id).slice(0, most))),
      },
      alerts: {
        webhook: (shop) => Promise.resolve({ url: `https://${shop}.example`, secret: 'whsec_x' }),
        rules: () => Promise.resolve([{ kind: 'day_lost', isOn: true, threshold: '0', onSince: AT }]),
        delivered: (of, problem) => {
          if (problem === '') waiting.splice(waiting.indexOf(of), 1);
          return Promise.resolve();
        },
        withdraw: () => Promise.resolve(),
      },
      sources: { find: () => Promise.resolve({ closedAt: null, currency: 'EUR' } as never) },
      readSummary: () => Promise.reject(new Error('no summary')),
      send: async ({ url, id }) => {
        sent.push(id);
        if (url.includes('quick')) return { status: 204 };
        if (unanswered.length === 0) setImmediate(endWait);
        await new Promise<void>((resolve) => unanswered.push(resolve));
        return { problem: 'There was no answer in time.' };
      },
      onError: (error) => errors.push(error),
    });

    expect(await turn()).to.equal(true);
    // 100 waits of 32 at a time: whatever waits for the slow ones, a turn takes from each one wait.
    expect(waits).to.equal(4);
    expect(sent.filter((id) => id.startsWith('slow'))).to.have.length(100);
    expect(sent.filter((id) => id.startsWith('quick'))).to.have.length(20);

    // The clock was put back: those whose turn seems later come after those who had none.
    now -= 3_600_000;
    waiting.push({ shopId: 'new', alert: alertOf('new', AT) });
    sent.length = 0;
    expect(await turn()).to.equal(false);
    expect(sent[0]).to.equal('new');
    expect(sent.filter((id) => id.startsWith('quick'))).to.have.length(10);
    expect(errors).to.deep.equal([]);
  });
});
