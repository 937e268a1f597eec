import type { Shop, ShopFigures } from '../../../schemas/app.js';
import { pathOf } from '../app/address.js';
import { Amount } from '../shared/amount.js';
import { ALERT_NAMES } from '../settings/alert-words.js';
import { formatCount, micros } from '../shared/money.js';
import { NoValue } from '../shared/no-value.js';
import { zoneName } from '../shared/zone.js';
import { verdictOf } from '../statement/verdict.js';
import { Completeness, leftOutIn } from './completeness.js';
import { Spark } from './spark.js';

/** A shop with this month of it; leads to its overview. */
export function ShopRow({ shop, figures }: { shop: Shop; figures: ShopFigures | undefined }) {
  const { shop_id, currency, timezone, platform, closed_at, alerts, has_orders: hasOrders } = shop;
  const facts =
    currency === null
      ? ['not set up yet']
      : [currency, `days in ${zoneName(timezone)}`, ...(platform === null ? [] : [platform])];
  const isEmpty = currency === null || !hasOrders;
  const isQuiet = !isEmpty && figures?.orders === 0 && micros(figures.earnings) === 0n;
  const word =
    figures === undefined || figures.orders === 0 ? '' : verdictOf(figures.coverage, leftOutIn(figures)).word;
  const spark = figures !== undefined && figures.orders > 0 && (
    <Spark from={figures.from} to={figures.to} values={figures.by_day} />
  );
  const amount = (value: string | undefined) =>
    isEmpty ? <NoValue why="no orders yet" /> : <Amount value={value} currency={currency} />;
  return (
    <tr data-shop={shop_id} class={isEmpty ? 'short' : ''}>
      <th scope="row">
        <a class="door" href={pathOf(shop_id, 'overview') + (isEmpty ? '' : '?range=month')}>
          {shop_id}
        </a>
        <span class="sub">
          {[...facts, ...(closed_at === null ? [] : ['closed']), ...alerts.map((kind) => ALERT_NAMES[kind])].join(
            ' · ',
          )}
        </span>
        <div class={`phone-only ${isEmpty ? '' : 'room'}`}>
          <Completeness shop={shop} figures={figures} />
        </div>
      </th>
      <td class="number result">
        {isQuiet ? (
          <span class="soft">no orders</span>
        ) : (
          <>
            {word !== '' && <span class="soft">{word} </span>}
            {amount(figures?.earnings)}
          </>
        )}
        <div class="spark-box phone-only">{spark}</div>
      </td>
      <td class="opt">
        <div class="spark-box">{spark}</div>
      </td>
      <td class="number wide-only">
        {isEmpty ? <NoValue why="no orders yet" /> : figures !== undefined && formatCount(figures.orders)}
      </td>
      <td class="number wide-only">{figures?.orders === 0 ? <NoValue why="no orders" /> : amount(figures?.revenue)}</td>
      <td class="wide-only complete">
        <Completeness shop={shop} figures={figures} />
      </td>
    </tr>
  );
}
