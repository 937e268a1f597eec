import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { OrderDetail } from '../../../schemas/order-detail.js';
import { Amount } from '../shared/amount.js';
import { Badge } from '../shared/badge.js';
import { formatDay } from '../shared/days.js';
import { addMoney, formatExactMoney, formatQuantity, micros, multiplied, negated } from '../shared/money.js';

type StoredLine = OrderDetail['line_items'][number];

/** What was sold, and what it cost. */
export function OrderLines({ order, view }: { order: OrderDetail; view: View }) {
  const { currency } = order;
  return (
    <section class="panel flush" aria-labelledby="lines">
      <div class="panel-head">
        <h2 id="lines">Products of this order</h2>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Products of this order, table">
        <table class="list-table">
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" class="number wide-only">
                Quantity
              </th>
              <th scope="col" class="number wide-only">
                Price
              </th>
              <th scope="col" class="number">
                Sold for
              </th>
              <th scope="col" class="number opt">
                Unit cost
              </th>
              <th scope="col" class="number wide-only">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {order.line_items.map((line) => (
              <tr key={line.line_id}>
                <th scope="row">
                  {line.sku === undefined ? (
                    (line.title ?? `Line ${line.line_id}`)
                  ) : (
                    <a class="door" href={linkTo(view.address, pathOf(view.shop, 'products'), { q: line.sku })}>
                      {line.title ?? line.sku}
                    </a>
                  )}
                  <span class="sub">{line.sku ?? 'no SKU'}</span>
                  <span class="sub phone-only">
                    {formatQuantity(line.quantity)} × {formatExactMoney(line.unit_price, currency)}
                  </span>
                </th>
                <td class="number wide-only">{formatQuantity(line.quantity)}</td>
                <td class="number wide-only">
                  <Amount value={line.unit_price} currency={currency} />
                </td>
                <td class="number">
                  <Amount value={soldFor(line)} currency={currency} />
                  {micros(line.line_discount) !== 0n && (
                    <span class="sub">{formatExactMoney(line.line_discount, currency)} discount</span>
                  )}
                  <span class="sub phone-only">
                    cost {line.unit_cost === undefined ? 'unknown' : formatExactMoney(line.cost, currency)}
                  </span>
                </td>
                <td class="number opt">
                  {line.unit_cost === undefined ? (
                    <Badge tone="warn">unknown</Badge>
                  ) : (
                    <Amount value={line.unit_cost} currency={currency} />
                  )}
                  <span class="sub">{sourceOf(line)}</span>
                </td>
                <td class="number wide-only">
                  {line.unit_cost === undefined ? 'unknown' : <Amount value={line.cost} currency={currency} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const soldFor = ({ unit_price, quantity, line_discount }: StoredLine): string =>
  addMoney(multiplied(unit_price, quantity), negated(line_discount));

function sourceOf({ cost_source: { from, effective_from: day } }: StoredLine): string {
  if (from === 'unknown') return '';
  if (from === 'line') return 'sent with the order';
  return day == null ? 'your cost list' : `your cost list, from ${formatDay(day)}`;
}
