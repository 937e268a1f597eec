import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { RESTATED_FIGURES, type RestatedFigure } from '../../src/domain/metrics/figure-list.js';
import { costHistoryArbitrary, HISTORY, type CostHistory } from '../support/cost-arbitrary.js';
import { sendCostPush } from '../support/cost-requests.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';

/** Histories of one run live in shops of their own and go side by side, a push of each at a time. */
const histories = fc.array(costHistoryArbitrary, { minLength: 3, maxLength: 3 });
/** Pushes of each that are sent: all in the long run. */
const STEPS = runs(6);
const RANGE = `from=${HISTORY.from}&to=${HISTORY.to}`;

/** Which causes a push of a kind can have. */
const CAUSES: Record<string, readonly string[]> = {
  orders: ['late_order', 'edited_order', 'refund', 'deletion'],
  catalog: ['unit_cost'],
  spend: ['spend'],
  order_costs: ['order_cost'],
  rules: ['fee_rule'],
  expense: ['expense'],
};

interface Entry {
  date: string;
  figure: RestatedFigure;
  before: string | number;
  after: string | number;
  at: string;
  causes: { kind: string; receipts?: string[] }[];
}

/** Figures by day and name, from a moment on at which nothing was on its way. */
interface Seen {
  moment: string;
  figures: Map<string, string | number>;
  push?: { kind: string; receipt: string | undefined } | undefined;
}

describe('restatements of random histories', function () {
  this.timeout(600_000);
  const service = useService();

  before(() => {
    service.startWorkers();
  });

  it('add up to the difference of the figures between any two moments, and know what was pushed', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (list) => {
        const shops = await Promise.all(list.map(({ zone }) => service.shop({ timezone: zone })));
        const seen = shops.map((): Seen[] => []);
        const look = async (pushes: readonly Seen['push'][]): Promise<void> => {
          await service.settled();
          await Promise.all(
            shops.map(async (shop, i) =>
              seen[i]?.push({ figures: await figuresOf(shop), moment: new Date().toISOString(), push: pushes[i] }),
            ),
          );
        };
        await look([]);
        for (let step = 0; step < Math.min(STEPS, Math.max(...list.map(({ pushes }) => pushes.length))); step++) {
          await look(await Promise.all(list.map((history, i) => send(history, step, shops[i]))));
        }
        for (const [i, shop] of shops.entries()) await check(shop, seen[i] ?? []);
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  async function send({ pushes }: CostHistory, step: number, shop: Shop | undefined): Promise<Seen['push']> {
    const push = pushes[step];
    if (push === undefined || shop === undefined) return undefined;
    const { status, body } = await sendCostPush(shop, push);
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 204, 404]);
    return { kind: push.kind, receipt: body.receipt };
  }

  async function figuresOf(shop: Shop): Promise<Map<string, string | number>> {
    const { body } = await shop.call('GET', `/v1/metrics/daily?${RANGE}&include=expenses,statement`);
    return new Map(
      (body.days as (Record<string, string | number> & { statement: Record<string, string> })[]).flatMap(
        ({ statement, ...day }) =>
          RESTATED_FIGURES.map((figure) => [`${day.date} ${figure}`, day[figure] ?? statement[figure] ?? ''] as const),
      ),
    );
  }

  async function entriesOf(shop: Shop, since: string, limit: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let cursor = ''; ;) {
      const path = `/v1/restatements?${RANGE}&since=${since}&limit=${limit}${cursor}`;
      const { status, body } = await shop.call('GET', path);
      expect(status, JSON.stringify(body)).to.equal(200);
      entries.push(...body.restatements);
      if (body.next === undefined) return entries;
      cursor = `&cursor=${body.next}`;
    }
  }

  async function check(shop: Shop, seen: readonly Seen[]): Promise<void> {
    const [first, ...others] = seen;
    if (first === undefined) throw new Error('nothing was seen');
    const all = await entriesOf(shop, first.moment, 17);
    const figures = new Map(first.figures);
    let [told, start] = [0, first.moment];
    for (const { moment, figures: wanted, push } of others) {
      const own = all.filter(({ at }) => at > start && at <= `${moment.slice(0, -1)}999Z`);
      for (const { date, figure, before, after, causes } of own) {
        const key = `${date} ${figure}`;
        expect(
          Big(before).eq(figures.get(key) ?? ''),
          `${shop.id} ${key} was ${figures.get(key)}, not ${before}`,
        ).to.equal(true);
        figures.set(key, after);
        for (const cause of causes) {
          expect(cause.kind, `${shop.id} ${key}`).to.be.oneOf([...(CAUSES[push?.kind ?? ''] ?? [])]);
          if (push?.receipt !== undefined) expect(cause.receipts, `${shop.id} ${key}`).to.deep.equal([push.receipt]);
        }
      }
      expect([...figures], `${shop.id} as of ${moment}`).to.deep.equal([...wanted]);
      told += own.length;
      start = moment;
    }
    expect(told).to.equal(all.length);
    // From a moment in the middle on.
    const middle = seen[seen.length >> 1]?.moment ?? '';
    const texts = (entries: readonly Entry[]): string => entries.map((entry) => JSON.stringify(entry)).join('\n');
    const later = all.filter(({ at }) => at > `${middle.slice(0, -1)}000Z`);
    expect(texts(await entriesOf(shop, middle, 250))).to.equal(texts(later));
  }
});
