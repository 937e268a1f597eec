import { addMoney } from '../shared/money.js';
import type { DailyAnswer } from './answers.js';

export type Day = DailyAnswer['days'][number];

/** The drawn series; `of` gives the exact amount that is shown, the line itself may be a float. */
export const SERIES: { label: string; colour: string; dash?: number[]; of: (day: Day) => string }[] = [
  { label: 'Revenue', colour: '--revenue', of: (day) => day.revenue },
  { label: 'Refunds', colour: '--refunds', of: (day) => day.refunds },
  { label: 'Costs', colour: '--costs', of: (day) => addMoney(day.cogs, day.gateway_fees, day.ad_spend) },
  { label: 'Net profit', colour: '--profit', of: (day) => day.net_profit },
  { label: 'Earnings', colour: '--earnings', dash: [6, 4], of: (day) => day.statement.earnings },
];
