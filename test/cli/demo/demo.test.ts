import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runDemo, type DemoSummary } from '../../../src/cli/demo/demo.js';
import { useService } from '../../support/service.js';

describe('runDemo', () => {
  const service = useService();
  let lent: string[];
  let givenBack: string[];

  beforeEach(() => {
    lent = [];
    givenBack = [];
  });

  async function run(shopId: string, key?: string): Promise<{ summary: DemoSummary; printed: string }> {
    const stdout = new PassThrough();
    const summary = await runDemo({
      url: service.url,
      lendKey: async () => {
        const one = key ?? (await service.key(shopId));
        lent.push(one);
        return { key: one, giveBack: () => Promise.resolve(void givenBack.push(one)) };
      },
      hints: (range) => Promise.resolve([`a hint of ${range}`]),
      stdout,
      signal: new AbortController().signal,
    });
    return { summary, printed: String(stdout.read()) };
  }

  it('imports the real month, shows its profit by day equal to the independent figures, and may run again', async () => {
    const { summary, printed } = await run('demo-month');
    expect(summary).to.deep.equal({ exitCode: 0, differences: [] });
    expect(printed).to.contain('All 20 trading days equal the independent figures to the last digit.');
    expect(printed).to.match(/^date +orders +revenue +refunds +net revenue +COGS +fees +ad spend +net profit$/m);
    expect(printed).to.match(/^2010-12-01 +\d+ +58960\.79 +325\.23 +58635\.56 /m);
    expect(printed).to.match(/^2010-12-04 +0 +0\.00 +0\.00 +0\.00 /m);
    expect(printed).to.match(/^total +1573 +823746\.14 +74789\.12 +748957\.02 /m);
    expect(printed).to.contain(`  a hint of from=2010-12-01&to=2010-12-23\n  ${service.url}/docs`);
    expect(printed).not.to.contain('sk_svc_');
    expect(lent).to.have.length(1);
    expect(givenBack).to.deep.equal(lent);

    const table = (text: string) => text.slice(text.indexOf('date '), text.indexOf('All 20'));
    const again = await run('demo-month', lent[0]);
    expect(again.summary.exitCode).to.equal(0);
    expect(table(again.printed)).to.equal(table(printed));
  }).timeout(600_000);

  it('names the days that other data in the shop changes', async () => {
    const key = await service.key('demo-mixed');
    const call = (method: string, path: string, body: unknown) => service.call(method, path, { key, body });
    await call('PUT', '/v1/source', { platform: 'other', currency: 'GBP', timezone: 'Europe/London' });
    const line = { line_id: '1', quantity: '1', unit_price: '10' };
    const order = { order_id: 'own', placed_at: '2010-12-04T12:00:00Z', currency: 'GBP', status: 'paid', total: '10' };
    await call('POST', '/v1/orders', { orders: [{ ...order, line_items: [line] }] });
    const stdout = new PassThrough().resume();
    const { exitCode, differences } = await runDemo({
      url: service.url,
      lendKey: () => Promise.resolve({ key, giveBack: () => Promise.resolve() }),
      stdout,
      signal: new AbortController().signal,
    });
    expect(exitCode).to.equal(1);
    expect(differences).to.deep.equal(['2010-12-04: orders is 1, not 0', '2010-12-04: revenue is 10.00, not 0.00']);
  }).timeout(600_000);

  it("fails with the service's message when another currency is registered, and gives the key back", async () => {
    const key = await service.key('demo-locked');
    const call = (method: string, path: string, body: unknown) => service.call(method, path, { key, body });
    await call('PUT', '/v1/source', { platform: 'other', currency: 'EUR', timezone: 'Europe/London' });
    const line = { line_id: '1', quantity: '1', unit_price: '10' };
    const order = { order_id: 'own', placed_at: '2010-12-04T12:00:00Z', currency: 'EUR', status: 'paid', total: '10' };
    await call('POST', '/v1/orders', { orders: [{ ...order, line_items: [line] }] });
    const failure = await run('demo-locked', key).catch((error: unknown) => error);
    expect(String(failure)).to.contain('PUT /v1/source was answered with 409').and.to.contain('source_locked');
    expect(givenBack).to.deep.equal([key]);
  });
});
