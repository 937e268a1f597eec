import { expect } from 'chai';
import fc from 'fast-check';
import { createPastSettings } from '../../src/repositories/past-settings.js';
import type { PastSettings } from '../../src/warehouse/queries/settings-history.js';

const MINUTE = 60_000;
const SHOP = 'shop';

interface Change {
  /** Milliseconds since 1970 from which on it counts. */
  at: number;
  /** How long after that it can be read. */
  landsAfter: number;
}

/** What the settings are after so many changes. */
const settingsAfter = (count: number): PastSettings => ({
  source: { currency: 'EUR', timezone: 'UTC', convertSpend: false },
  rules: [{ payment_gateway: 'card', percent: String(count), fixed: '0' }],
  expenses: [],
});

/** The registry at a clock and a warehouse that the test sets. */
function start(changes: readonly Change[] = []) {
  const state = { now: 0, reads: 0, changes: [...changes] };
  const registry = createPastSettings(
    (_shopId, asOf) => {
      state.reads++;
      const landed = state.changes.filter(({ at, landsAfter }) => at + landsAfter <= state.now);
      const later = landed.filter(({ at }) => at * 1000 > asOf).map(({ at }) => at * 1000);
      const settings = settingsAfter(landed.length - later.length);
      return Promise.resolve({ settings, changesAt: Math.min(Infinity, ...later) });
    },
    () => Promise.resolve([]),
    () => state.now,
  );
  const rule = async (asOfMs: number): Promise<string | undefined> =>
    (await registry.find(SHOP, asOfMs * 1000)).rules[0]?.percent;
  return { state, rule };
}

describe('the settings of the past', () => {
  it('are asked for once from a moment to the next change', async () => {
    const { state, rule } = start([{ at: 10_000, landsAfter: 0 }]);
    state.now = 10 * MINUTE;
    expect([await rule(5_000), await rule(5_000), await rule(9_999)]).to.deep.equal(['0', '0', '0']);
    expect(state.reads).to.equal(1);
    expect([await rule(10_000), await rule(4_999)]).to.deep.equal(['1', '0']);
    expect(state.reads).to.equal(3);
  });

  it('are asked for again where a change may still have been on its way', async () => {
    const { state, rule } = start([{ at: 10 * MINUTE - 1, landsAfter: MINUTE }]);
    state.now = 10 * MINUTE;
    expect([await rule(5 * MINUTE), await rule(9 * MINUTE - 1)]).to.deep.equal(['0', '0']);
    expect(state.reads).to.equal(1);
    expect([await rule(9 * MINUTE), await rule(10 * MINUTE - 1)]).to.deep.equal(['0', '0']);
    expect(state.reads).to.equal(3);
    state.now = 11 * MINUTE;
    expect(await rule(10 * MINUTE - 1)).to.equal('1');
  });

  it('are what a question to the warehouse answers, at every moment of random histories', async () => {
    const at = fc.integer({ min: 1, max: 20 * MINUTE });
    const changes = fc.uniqueArray(fc.record({ at, landsAfter: fc.integer({ min: 0, max: MINUTE }) }), {
      maxLength: 6,
      selector: (change: Change) => change.at,
    });
    const questions = fc.array(fc.record({ at, wait: fc.integer({ min: 0, max: 3 * MINUTE }) }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(changes, questions, async (history, list) => {
        const kept = start(history);
        for (const { at: asked, wait } of list) {
          const now = kept.state.now + wait;
          kept.state.now = now;
          const alone = start(history);
          alone.state.now = now;
          const moment = Math.min(asked, now);
          expect(await kept.rule(moment), `as of ${moment} at ${now}`).to.equal(await alone.rule(moment));
        }
      }),
    );
  });
});
