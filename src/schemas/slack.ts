import { sentenceOf, type Formats } from '../domain/alert-words.js';
import type { AlertMessage, MorningSummary } from './alerts.js';

/** Where a message has to have Slack's form: at Slack itself, and at addresses of others that end as those do which take its form. */
export function takesSlackForm(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return /^hooks\.slack(?:-gov)?\.com$/.test(hostname) || /\/slack\/?$/.test(pathname);
}

/** A message as it is sent to this address. */
export function bodyFor(url: string, message: AlertMessage): string {
  return JSON.stringify(takesSlackForm(url) ? { text: textOf(message) } : message);
}

/** Characters that Slack reads as its own markup. */
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function textOf(message: AlertMessage): string {
  const shop = escaped(message.data.shop_id);
  switch (message.type) {
    case 'alert.test':
      return `${shop}: this is a test. Alerts arrive here.`;
    case 'alert.raised':
      return `${shop}: ${sentenceOf(message.data, formatsIn(message.data.currency ?? ''))}`;
    case 'summary.morning':
      return summaryLines(shop, message.data).join('\n');
  }
}

const formatsIn = (currency: string): Formats => ({
  day: (day) => day,
  money: (amount) => `${amount} ${currency}`.trim(),
});

function summaryLines(shop: string, { statement, changed, today }: MorningSummary): string[] {
  const { money } = formatsIn(statement.currency);
  const { compared } = statement;
  const earned = (of: typeof compared): string => money(of.statement?.earnings ?? of.net_profit);
  return [
    `*${shop}, ${statement.from}: earned ${earned(statement)}* (the day before: ${earned(compared)})`,
    `${countOf(statement.orders, 'order')} · revenue ${money(statement.revenue)} · refunds ${money(statement.refunds)} · ` +
      `product costs ${money(statement.cogs)} · payment fees ${money(statement.gateway_fees)} · ads ${money(statement.ad_spend)}`,
    ...missing(statement),
    ...(changed.days_changed === 0
      ? []
      : [
          `Changed since ${changed.since}: ${countOf(changed.days_changed, 'earlier day')}, ${money(changed.change)} together; ` +
            `${changed.days[0]?.date ?? ''} by ${money(changed.days[0]?.change ?? '0.00')}`,
        ]),
    `Today so far: ${soFar(today)}; the day before at the same hour: ${soFar(today.compared)}`,
  ];
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const soFar = ({ orders, revenue, currency }: MorningSummary['statement']['compared']): string =>
  `${countOf(orders, 'order')}, ${formatsIn(currency).money(revenue)}`;

function missing({ coverage, currency_note: note }: MorningSummary['statement']): string[] {
  const kinds =
    coverage &&
    ([
      [coverage.orders_without_cost, 'product costs'],
      [coverage.orders_without_fee, 'payment fees'],
      [coverage.orders_without_tax, 'tax'],
      [coverage.orders_without_fulfillment, 'packing and shipping'],
    ] as const);
  const named = (kinds ?? [])
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${what} of ${countOf(count, 'order')}`);
  return [
    ...(named.length > 0 ? [`Missing: ${named.join(', ')}`] : []),
    ...(note === undefined ? [] : [escaped(note)]),
  ];
}
