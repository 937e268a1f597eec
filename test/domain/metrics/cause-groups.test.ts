import { expect } from 'chai';
import { createCauseGroups, GAP_MS, type CausedChange } from '../../../src/domain/metrics/cause-groups.js';
import type { CauseKind, Restatement } from '../../../src/domain/metrics/restatements.js';

interface Case {
  /** Milliseconds at which the push arrived; its change counts 5 ms later. */
  ms: number;
  day?: number;
  kind?: CauseKind;
  key?: string;
  receipt?: string;
  count?: number;
  restated?: Restatement[];
}

const change = ({
  ms,
  day = 1,
  kind = 'unit_cost',
  key = 'aaaa',
  receipt = `r${ms}`,
  count = 1,
  restated,
}: Case): CausedChange => ({
  at: (ms + 5) * 1_000,
  day,
  restated: restated ?? [{ figure: 'cogs', before: '1.00', after: '2.50' }],
  causes: [
    {
      kind,
      count,
      records: [],
      pushes: [{ receipt, keyLast4: key, receivedAt: ms, firstStamp: 1, lastStamp: 2 }],
    },
  ],
});

const groupsOf = (...cases: Case[]) => {
  const groups = createCauseGroups();
  groups.add(cases.toSorted((a, b) => b.ms - a.ms || (b.day ?? 1) - (a.day ?? 1)).map(change));
  return groups.list();
};

const T = 1_700_000_000_000;

describe('changes by cause', () => {
  it('are one while less than ten minutes are between a push and the next', () => {
    const near = [T, T + GAP_MS - 1, T + 2 * GAP_MS - 2].map((ms) => ({ ms }));
    expect(groupsOf(...near)).to.have.length(1);
    expect(groupsOf({ ms: T }, { ms: T + GAP_MS })).to.have.length(2);
  });

  it('are apart by kind and by key, newest first', () => {
    const found = groupsOf({ ms: T }, { ms: T + 1, key: 'bbbb' }, { ms: T + 2, kind: 'spend' }, { ms: T + 3 });
    expect(found.map(({ kind, at, pushes }) => [kind, at, pushes.map(({ receipt }) => receipt)])).to.deep.equal([
      ['unit_cost', (T + 8) * 1_000, [`r${T + 3}`, `r${T}`]],
      ['spend', (T + 7) * 1_000, [`r${T + 2}`]],
      ['unit_cost', (T + 6) * 1_000, [`r${T + 1}`]],
    ]);
  });

  it('add up what they changed of each day, from before the first change on', () => {
    const [one] = groupsOf(
      {
        ms: T,
        day: 1,
        restated: [
          { figure: 'cogs', before: '1.00', after: '2.50' },
          { figure: 'orders', before: 1, after: 2 },
        ],
      },
      { ms: T + 1, day: 1, restated: [{ figure: 'cogs', before: '2.50', after: '-0.000001' }] },
      { ms: T + 1, day: 2, restated: [{ figure: 'cogs', before: '-10.00', after: '5.00' }] },
    );
    expect(one).to.deep.include({
      days: 2,
      figures: { cogs: { before: '-9.00', after: '4.999999' }, orders: { before: 1, after: 2 } },
    });
    expect(one?.byDay('cogs')).to.deep.equal([
      { day: 2, before: '-10.00', after: '5.00' },
      { day: 1, before: '1.00', after: '-0.000001' },
    ]);
    expect(one?.byDay('orders')).to.deep.equal([{ day: 1, before: 1, after: 2 }]);
    expect(one?.byDay('revenue')).to.deep.equal([]);
  });

  it('count a version of a cost once, and an order on each of its days', () => {
    const cost = { ms: T, receipt: 'one', count: 3 };
    expect(groupsOf({ ...cost, day: 1 }, { ...cost, day: 2 })[0]?.count).to.equal(3);
    expect(groupsOf(cost, { ms: T + 1, receipt: 'two', count: 4 })[0]?.count).to.equal(7);
    const late = { ms: T, kind: 'late_order', count: 2 } as const;
    expect(groupsOf({ ...late, day: 1 }, { ...late, day: 2 })[0]?.count).to.equal(4);
  });

  it('are those of the cause that brought most, and of a rebuild where none is known', () => {
    const groups = createCauseGroups();
    const both = change({ ms: T });
    const refunds = { ...change({ ms: T, kind: 'refund', count: 5 }).causes[0] } as (typeof both.causes)[number];
    groups.add([
      { ...both, causes: [...both.causes, refunds] },
      { ...both, day: 2, causes: [] },
      { ...both, restated: [] },
    ]);
    expect(groups.list().map(({ kind, days, count }) => [kind, days, count])).to.have.deep.members([
      ['refund', 1, 5],
      ['rebuild', 1, 1],
    ]);
  });

  it('may grow by changes of less than ten minutes before their first push', () => {
    const groups = createCauseGroups();
    expect(groups.mayGrow(T * 1_000)).to.equal(false);
    groups.add([change({ ms: T })]);
    expect(groups.mayGrow((T - GAP_MS + 1) * 1_000)).to.equal(true);
    expect(groups.mayGrow((T - GAP_MS) * 1_000)).to.equal(false);
  });
});
