import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runFullDemo } from '../../../src/cli/demo/full-demo.js';
import type { DemoSummary } from '../../../src/cli/demo/demo.js';
import { useService } from '../../support/service.js';

describe('runFullDemo', () => {
  const service = useService();
  const dayOf = (at: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(at);
  const DAY = 86_400_000;

  async function run(shop: string, options: { now: number; waitMs?: number }) {
    const stdout = new PassThrough();
    const lent: string[] = [];
    const givenBack: string[] = [];
    const summary: DemoSummary = await runFullDemo({
      url: service.url,
      ...options,
      lendKey: async (kind) => {
        const key = await service.key(shop, kind);
        lent.push(key);
        return { key, giveBack: () => Promise.resolve(void givenBack.push(key)) };
      },
      hints: (range) => Promise.resolve([`a hint of ${range}`]),
      stdout,
      signal: new AbortController().signal,
    });
    return { summary, printed: String(stdout.read()), lent, givenBack };
  }

  it('equals its books in every figure of days and channels, on the next day and again too', async () => {
    await run('tea', { now: Date.now() - DAY, waitMs: 0 });
    for (let i = 0; i < 2; i++) {
      const { summary, printed, lent, givenBack } = await run('tea', { now: Date.now() });
      expect(summary).to.deep.equal({ exitCode: 0, differences: [] });
      expect(printed).to.contain('equal the books to the last digit').and.to.contain('a hint of from=');
      for (const figure of ['tax_added', 'tax_refunded', 'fulfillment_costs', 'operating_expenses', 'earnings'])
        expect(printed, figure).to.match(new RegExp(`^  ${figure} +(?!0\\.00)\\d`, 'm'));
      expect(printed).to.match(/^ {2}google_ads .* 1 proved, 0 claimed, [1-9]\d* unclear$/m);
      expect(printed).to.match(/^ {2}meta_ads .* 0 proved, 1 claimed, [1-9]\d* unclear$/m);
      expect(printed).to.match(/^ {2}unattributed .* 0 proved, 0 claimed, [1-9]\d* unclear$/m);
      expect(givenBack).to.deep.equal(lent.toReversed());
    }
  }).timeout(600_000);

  it('names the figures that other data in the shop changes', async () => {
    const key = await service.key('tea-mixed');
    const source = { platform: 'other', currency: 'EUR', timezone: 'Europe/Berlin' };
    await service.call('PUT', '/v1/source', { key, body: source });
    const at = Date.now() - 5 * DAY;
    const line = { line_id: '1', quantity: '1', unit_price: '10', unit_cost: '4' };
    const placed = {
      order_id: 'own',
      placed_at: new Date(at).toISOString(),
      currency: 'EUR',
      status: 'paid',
      total: '10',
    };
    await service.call('POST', '/v1/orders', { key, body: { orders: [{ ...placed, line_items: [line] }] } });
    const { summary } = await run('tea-mixed', { now: Date.now(), waitMs: 10_000 });
    expect(summary.exitCode).to.equal(1);
    const ofDay = summary.differences.filter((text) => text.startsWith(`${dayOf(at)}: `));
    expect(ofDay.map((text) => text.split(' ')[1])).to.include.members(['orders', 'revenue', 'cogs', 'net_profit']);
  }).timeout(600_000);
});
