import { expect } from 'chai';
import fc from 'fast-check';
import { costHistoryArbitrary, HISTORY, type CostHistory } from '../support/cost-arbitrary.js';
import { sendCostPush } from '../support/cost-requests.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';

/** Histories of one run live in shops of their own and go side by side, a push of each at a time. */
const histories = fc.array(costHistoryArbitrary, { minLength: 3, maxLength: 3 });
/** Pushes of each that are sent: all in the long run. */
const STEPS = runs(6);

/** What a shop was answered, and a moment after which nothing changed before it was. */
interface Seen {
  moment: string;
  answers: Map<string, unknown>;
}

const moment = (): string => new Date().toISOString();
const then = (path: string, asOf: string): string => `${path}&as_of=${asOf}`;

describe('random histories as of a moment', function () {
  this.timeout(600_000);
  const service = useService();

  before(() => {
    service.startWorkers();
  });

  it('have the figures that were answered then, at every moment', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (list) => {
        const shops = await Promise.all(list.map(({ zone }) => service.shop({ timezone: zone })));
        const paths = list.map(({ range: [from, to] }) => questions(from, to));
        const seen = shops.map((): Seen[] => []);
        const look = async (): Promise<void> => {
          await service.settled();
          await Promise.all(
            shops.map(async (shop, i) => {
              const answers = await ask(shop, paths[i] ?? []);
              seen[i]?.push({ moment: moment(), answers });
            }),
          );
        };
        await look();
        for (let step = 0; step < Math.min(STEPS, Math.max(...list.map(({ pushes }) => pushes.length))); step++) {
          await Promise.all(list.map((history, i) => send(history, step, shops[i])));
          await look();
        }
        for (const [i, shop] of shops.entries()) {
          for (const [step, { moment: at, answers }] of (seen[i] ?? []).entries()) {
            for (const [path, wanted] of answers) {
              const { status, body } = await shop.call('GET', then(path, at));
              expect(status, JSON.stringify(body)).to.equal(200);
              expect(body, `${shop.id} after push ${step}: ${path}`).to.deep.equal(wanted);
            }
          }
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  function questions(from: string, to: string): string[] {
    const whole = `from=${HISTORY.from}&to=${HISTORY.to}`;
    return [
      `/v1/metrics?${whole}&include=expenses,coverage,statement`,
      `/v1/metrics?from=${from}&to=${to}&include=expenses`,
      `/v1/metrics/daily?from=${from}&to=${to}&include=expenses,coverage,statement`,
    ];
  }

  async function ask(shop: Shop, paths: readonly string[]): Promise<Map<string, unknown>> {
    const answers = new Map<string, unknown>();
    for (const path of paths) answers.set(path, (await shop.call('GET', path)).body);
    return answers;
  }

  async function send({ pushes }: CostHistory, step: number, shop: Shop | undefined): Promise<void> {
    const push = pushes[step];
    if (push === undefined || shop === undefined) return;
    const { status, body } = await sendCostPush(shop, push);
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 204, 404]);
  }
});
