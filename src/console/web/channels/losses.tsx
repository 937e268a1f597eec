import type { Loss, LossCause } from '../../../schemas/attribution.js';
import { Amount } from '../shared/amount.js';
import { addMoney, formatCount } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';

const CAUSES: Readonly<Record<LossCause, string>> = {
  no_pixel: 'No browser event arrived on the day',
  before_pixel: 'Before the first browser event ever',
  not_named: 'Events arrived, none named the order: consent refused, script blocked, or left before the end',
  too_old: 'The visit was more than 30 days before',
  clock: 'The visit was after the order, by the clock of the visitor',
  bot: 'The event came from a bot',
};

/** Why no visit is seen for orders, over the days. */
export function Losses({ losses, currency }: { losses: readonly Loss[]; currency: string }) {
  const causes = [...new Set(losses.map(({ cause }) => cause))];
  return (
    <section class="panel flush" aria-labelledby="losses">
      <div class="panel-head">
        <h2 id="losses">Why no visit was seen</h2>
      </div>
      <Table label="Orders without a visit" folds columns={[...words('Cause'), ...numbers('Orders', 'Revenue')]}>
        {causes.map((cause) => {
          const own = losses.filter((loss) => loss.cause === cause);
          return (
            <tr key={cause}>
              <th scope="row" class="wide">
                {CAUSES[cause]}
              </th>
              <td class="number">{formatCount(own.reduce((sum, { orders }) => sum + orders, 0))}</td>
              <td class="number">
                <Amount value={addMoney(...own.map(({ revenue }) => revenue))} currency={currency} />
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}
