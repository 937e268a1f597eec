import type { Fault } from '../../client/index.js';
import { DAMAGED_ID, isDamagedId } from '../../domain/csv/damaged-id.js';
import { parseCsv } from './csv.js';
import { utf8Text } from './input.js';
import { FileError } from './platform/json-values.js';

/** One item of `PUT /v1/costs/orders`, and the line of the file that it is in. */
export interface OrderCostLine {
  line: number;
  cost: Record<string, string | null>;
  /** Why it is not sent; null: it is. */
  fault: Fault | null;
}

const ID = 'order_id';
const COSTS = ['fulfillment_cost', 'gateway_fee'];

/**
 * The costs of a CSV file with a header, columns in any order and letters' case. An empty cell leaves the cost as it is, the word
 * `null` takes it back; other columns are left out.
 *
 * @throws FileError without the columns, CsvError where the CSV is broken
 */
export async function* readOrderCosts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<OrderCostLine> {
  let columns: string[] | undefined;
  for await (const { line, fields } of parseCsv(utf8Text(bytes))) {
    if (columns === undefined) {
      columns = fields.map((name) => name.trim().toLowerCase());
      const names = columns;
      if (names.includes(ID) && COSTS.some((name) => names.includes(name))) continue;
      throw new FileError(`the first line must name the columns: ${ID}, and ${COSTS.join(' or ')} or both`);
    }
    const cost: OrderCostLine['cost'] = {};
    for (const [i, name] of columns.entries()) {
      const cell = fields[i]?.trim() ?? '';
      if (name === ID) cost[ID] = cell;
      else if (COSTS.includes(name) && cell !== '') cost[name] = cell === 'null' ? null : cell;
    }
    yield { line, cost, fault: faultOf(cost[ID] ?? '') };
  }
  if (columns === undefined) throw new FileError('the file is empty');
}

function faultOf(id: string): Fault | null {
  if (!isDamagedId(id)) return null;
  return { code: 'invalid_value', message: `${ID} "${id}" ${DAMAGED_ID}.`, field: ID };
}
