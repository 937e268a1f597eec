import { decimal, formatExact, rounded } from '../domain/money.js';
import { formatDay } from '../domain/time.js';
import type { Order } from '../schemas/orders.js';
import { PRODUCTS } from './catalog.js';
import { pick, type Draw } from './draw.js';

export const euros = (cents: number): string => formatExact(decimal(`${cents}e-2`));
/** In whole cents. */
const share = (cents: number, part: string, den: bigint): number =>
  Number(rounded({ num: decimal(part).times(decimal(BigInt(cents))), den }, 0).toFixed());
const percent = (part: string, cents: number): number => share(cents, part, 100n);
/** The tax of 19 % in an amount. */
const taxIn = (cents: number): number => share(cents, '19', 119n);

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const FREE_SHIPPING = 6_000;
const SHIPPING = 490;
/** Where orders go, and the codes that discounts come from. */
const COUNTRIES = ['DE', 'DE', 'AT', 'DE', 'DE', 'CH', 'DE', 'NL'];
const CODES = ['WELCOME10', 'NEWSLETTER10'];
/** The first day, from which orders are numbered. */
const EPOCH_DAY = 19_800;
const NUMBERS_A_DAY = 40;

/** A weekday sells more than a Saturday, and each week a little more than the one before. */
export function ordersOn(day: number, ago: number, draw: Draw): number {
  const weekday = new Date(`${formatDay(day)}T00:00:00Z`).getUTCDay();
  return (weekday === 6 ? 7 : weekday === 0 ? 12 : 10) + Math.floor((90 - ago) / 30) + draw(3);
}

/** Order `index` of a day, in days since 1970, with what has become of it by now; null: it is yet to be placed. */
export function orderOf(day: number, index: number, { ago, now, draw }: { ago: number; now: number; draw: Draw }) {
  const placedAt = day * MS_PER_DAY + (7 * 60 + draw(13 * 60)) * MS_PER_MINUTE + draw(60) * 1_000;
  const number = String((day - EPOCH_DAY) * NUMBERS_A_DAY + index);
  const goods = Array.from({ length: 1 + draw(3) }, () => ({
    product: pick(PRODUCTS, ago, draw),
    units: draw(4) === 0 ? 2 : 1,
  }));
  const gross = goods.reduce((sum, { product, units }) => sum + product.price * units, 0);
  const discounts = draw(9) === 0 ? percent('10', gross) : 0;
  const shipping = gross < FREE_SHIPPING ? SHIPPING : 0;
  const total = gross - discounts + shipping;
  const isCard = draw(100) < 64;
  const fate = goods.map(({ product }) => draw(100) < product.returned);
  const refundedAt = placedAt + (2 + draw(4)) * MS_PER_DAY;
  const customer = `C-${1_000 + draw(700)}`;
  const checkout = `${number}${draw(0xffffff).toString(16)}`;
  const back = refundedAt > now ? [] : goods.flatMap((line, i) => (fate[i] === true ? [{ ...line, id: i + 1 }] : []));
  const backTotal = back.reduce(
    (sum, { product }) => sum + product.price - (discounts > 0 ? percent('10', product.price) : 0),
    0,
  );
  if (placedAt > now) return null;
  const order: Order = {
    order_id: number,
    order_name: `#${number}`,
    placed_at: new Date(placedAt).toISOString(),
    updated_at: new Date(back.length > 0 ? refundedAt : placedAt).toISOString(),
    currency: 'EUR',
    status: 'paid',
    customer: { id: customer },
    line_items: goods.map(({ product, units }, i) => ({
      line_id: String(i + 1),
      sku: product.sku,
      title: product.title,
      quantity: String(units),
      unit_price: euros(product.price),
    })),
    discounts: euros(discounts),
    shipping: euros(shipping),
    tax: euros(taxIn(total)),
    taxes_included: true,
    total: euros(total),
    payment_gateway: isCard ? 'stripe' : 'paypal',
    ...(!isCard && { gateway_fee: euros(percent('2.49', total) + 35) }),
    fulfillment_cost: euros(goods.length > 1 ? 590 : 470),
    checkout_token: checkout,
    country: COUNTRIES[(day + index) % COUNTRIES.length] ?? 'DE',
    sales_channel: 'online_store',
    ...(discounts > 0 && { discount_codes: [CODES[index % CODES.length] ?? ''] }),
    refunds:
      back.length === 0
        ? []
        : [
            {
              refund_id: `R-${number}`,
              refunded_at: new Date(refundedAt).toISOString(),
              total: euros(backTotal),
              tax_refund: euros(taxIn(backTotal)),
              line_items: back.map(({ product, id }) => ({
                line_id: String(id),
                quantity: '1',
                restock: product.broken !== true,
              })),
            },
          ],
  };
  return { order, placedAt, checkout, landing: goods[0]?.product.sku.toLowerCase() ?? '' };
}
