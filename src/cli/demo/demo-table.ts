import type { Metrics } from '../../schemas/metrics.js';

const COLUMNS: [heading: string, field: keyof Metrics][] = [
  ['orders', 'orders'],
  ['revenue', 'revenue'],
  ['refunds', 'refunds'],
  ['net revenue', 'net_revenue'],
  ['COGS', 'cogs'],
  ['fees', 'gateway_fees'],
  ['ad spend', 'ad_spend'],
  ['net profit', 'net_profit'],
];

/** A table with a line a day and one of totals; numbers end in the same column. */
export function profitTable(days: (Metrics & { date: string })[], totals: Metrics): string {
  const row = (name: string, figures: Metrics) => [name, ...COLUMNS.map(([, field]) => String(figures[field]))];
  const body = days.map((day) => row(day.date, day));
  const rows = [['date', ...COLUMNS.map(([heading]) => heading)], ...body, row('total', totals)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const line = (cells: string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const [heading = '', ...rest] = rows.map(line);
  const total = rest.pop() ?? '';
  return [heading, rule, ...rest, rule, total, ''].join('\n');
}
