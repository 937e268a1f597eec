import { closeBrowser, openPage } from '../browser/support/browser.js';
import { servePage } from '../browser/support/serve-page.js';
import type { BenchContext } from './context.js';
import { milliseconds, spread, type Ratio, type Section } from './harness.js';

const LOADS = 9;
const SLOWER = 4;
const LIMIT_MS = 50;

/** `tdur`: microseconds of the processor, whatever else the machine does. */
interface TraceEvent {
  tdur?: number;
  args: { data?: { url?: string } };
}

/**
 * The longest task of the pixel on a first page, on a processor that is four times slower. Four times its time on this one: the
 * browser's own brake counts its pauses as work where the machine is busy. The least of the loads counts.
 */
export const pixelTasks: Section<BenchContext> = {
  name: 'pixel-tasks',
  async run({ service, newToken }): Promise<Ratio[]> {
    const { token } = await newToken('pixel-tasks');
    const script = `${service.url}/pixel.js`;
    const head = `<script>window.dataLayer = Array.from({ length: 1000 }, (_, n) => ['event', 'e' + n, { n }]);
      dataLayer.push(['consent', 'update', { analytics_storage: 'granted', ad_storage: 'granted' }]);</script>`;
    const site = await servePage({
      '*': `<!doctype html>${head}<script async src="${script}" data-token="${token}"></script>`,
    });
    const longest: number[] = [];
    try {
      for (let load = 0; load < LOADS; load++) {
        const { page, context } = await openPage();
        const client = await context.newCDPSession(page);
        const events: TraceEvent[] = [];
        client.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
        await client.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } });
        const sent = page.waitForResponse(`${service.url}/v1/collect`);
        await page.goto(`${site.origin}/?gclid=abc`);
        await sent;
        const traced = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
        await client.send('Tracing.end');
        await traced;
        const own = events.flatMap(({ tdur, args }) => (args.data?.url === script && tdur ? [tdur / 1000] : []));
        if (own.length === 0) throw new Error('the trace has no task of the pixel');
        longest.push(SLOWER * Math.max(...own));
        await context.close();
      }
    } finally {
      await closeBrowser();
      await site.close();
    }
    const ours = Math.min(...longest);
    return [
      {
        what: 'longest task of the pixel on a first page, four times slower',
        ours: milliseconds(ours),
        against: milliseconds(LIMIT_MS),
        ratio: ours / LIMIT_MS,
        spread: spread(longest),
        goal: { atMost: 1 },
      },
    ];
  },
};
