import { unreadBy, type FieldTable } from '../unread.js';

/** The columns of the order export of Shopify's admin, in lower case. */
export const CSV_FIELDS: FieldTable = {
  read: `
    id, name, currency, financial status, created at, cancelled at, payment method, payment terms name, total,
    subtotal, taxes, shipping, duties, discount amount, refunded amount, outstanding balance, lineitem quantity,
    lineitem name, lineitem price, lineitem sku, lineitem discount, discount code, tags, source, shipping country,
    billing country`,
  setAside: {
    'personal: never taken': `
      email, phone, accepts marketing, notes, note attributes, employee, payment reference, payment references,
      receipt number, ${addressOf('billing')}, ${addressOf('shipping')}`,
    'a part of Taxes': [1, 2, 3, 4, 5].map((i) => `tax ${i} name, tax ${i} value`).join(', '),
    'Lineitem discount and Discount Amount say what was taken off': 'lineitem compare at price',
    'Financial Status says what is paid': 'paid at, payment id, next payment due at',
    'delivery changes no amount': `
      fulfillment status, fulfilled at, shipping method, lineitem fulfillment status, lineitem requires shipping`,
    'describes the order or the line': 'lineitem taxable, vendor, location, device id, risk level',
  },
};

/** Columns with a value in a line of the export that are in neither list. */
export const unreadShopifyColumns = unreadBy(CSV_FIELDS);

function addressOf(kind: string): string {
  const parts = 'name, street, address1, address2, company, city, zip, province, province name, phone';
  return parts.replace(/^|, /g, (gap) => `${gap}${kind} `);
}
