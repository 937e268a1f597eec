import { fieldsOf, type Fields } from '../../domain/fields.js';
import type { Conversion } from '../conversion.js';
import { word } from '../values.js';

/** Lists of an order by the type of their entries; what is of none of them is not needed. */
const LISTS: Readonly<Record<string, string>> = {
  LineItem: 'lineItems',
  ShippingLine: 'shippingLines',
  Refund: 'refunds',
  RefundLineItem: 'refundLineItems',
  RefundShippingLine: 'refundShippingLines',
  OrderAdjustment: 'orderAdjustments',
  OrderTransaction: 'transactions',
};

/** Either a whole order, or why a child is of none. */
export type BulkOrder = { order: Fields } | { orphan: Fields; held: Conversion };

type Node = Record<string, unknown>;

/** Puts the lines of a bulk operation together: children follow their order, which ends where the next begins. */
export interface BulkReader {
  /** @returns what is whole now that this line has come */
  take(line: Fields): BulkOrder[];
  end(): BulkOrder[];
}

export function createBulkReader(): BulkReader {
  let order: Node | undefined;
  let isBulk = false;
  let orphanOf: unknown;
  const nodes = new Map<unknown, Node>();

  function end(): BulkOrder[] {
    const whole = order;
    order = undefined;
    nodes.clear();
    if (whole === undefined) return [];
    return [{ order: isBulk ? { lineItems: [], shippingLines: [], ...whole } : whole }];
  }

  function remember(value: Fields): Node {
    const node = { ...value };
    nodes.set(node.id, node);
    for (const name of Object.values(LISTS)) {
      const list = node[name];
      // A list in the order itself, which is no connection.
      if (Array.isArray(list)) node[name] = list.map((one) => remember(fieldsOf(one)));
    }
    return node;
  }

  return {
    end,
    take(line) {
      const parent = line.__parentId;
      if (parent === undefined) {
        const before = end();
        orphanOf = undefined;
        order = remember(line);
        return before;
      }
      isBulk = true;
      const holder = nodes.get(parent);
      if (holder !== undefined) {
        const name = listName(line);
        if (name === undefined) return [];
        const list: unknown[] = Array.isArray(holder[name]) ? holder[name] : [];
        list.push(remember(line));
        holder[name] = list;
        return [];
      }
      if (parent === orphanOf) return [];
      orphanOf = parent;
      const message = 'A line belongs to an order that is not just before it; export with groupObjects: true.';
      return [{ orphan: line, held: { hold: { code: 'bulk_orphan', message, field: '__parentId' } } }];
    },
  };
}

function listName(line: Fields): string | undefined {
  const type = typeof line.id === 'string' ? /^gid:\/\/shopify\/(\w+)\//.exec(line.id)?.[1] : undefined;
  if (type !== undefined) return LISTS[type];
  if (word(line.restockType) !== undefined) return 'refundLineItems';
  return 'allocatedAmountSet' in line ? 'discountAllocations' : undefined;
}
