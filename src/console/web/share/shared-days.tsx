import { Amount } from '../shared/amount.js';
import type { DailyAnswer } from '../shared/answers.js';
import { formatDay } from '../shared/days.js';
import { formatCount } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { isProfitAtMost, verdictOf } from '../statement/verdict.js';
import { SharedPanel } from './shared-panel.js';
import { useShared } from './use-shared.js';

export function SharedDays({ currency }: { currency: string }) {
  return (
    <SharedPanel title="Days" of={useShared<DailyAnswer>('/app/api/share/days')}>
      {({ days }) => (
        <Table
          label="Days"
          columns={[...words('Day'), ...numbers('Orders', 'Revenue', 'Net profit', 'Earnings')]}
          isTall
        >
          {days.map(({ date, orders, revenue, net_profit, statement, coverage }) => {
            const isAtMost = coverage !== undefined && isProfitAtMost(coverage);
            const words = ['', isAtMost ? 'at most' : '', coverage === undefined ? '' : verdictOf(coverage).word];
            return (
              <tr key={date}>
                <th scope="row">{formatDay(date)}</th>
                <td class="number">{formatCount(orders)}</td>
                {[revenue, net_profit, statement.earnings].map((amount, i) => (
                  <td key={i} class="number">
                    {words[i] !== '' && <span class="soft">{words[i]} </span>}
                    <Amount value={amount} currency={currency} />
                  </td>
                ))}
              </tr>
            );
          })}
        </Table>
      )}
    </SharedPanel>
  );
}
