import type { Shop } from '../../../schemas/app.js';
import { ConnectionEntry } from './connection.js';
import type { ConnectionRow } from './rows.js';

/** Every integration, and each kind of data that belongs to none. */
export function ConnectionTable({ rows, shop }: { rows: readonly ConnectionRow[]; shop: Shop }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Connections, table">
      <table class="list-table">
        <thead>
          <tr>
            <th scope="col">Connection</th>
            <th scope="col">State</th>
            <th scope="col" class="wide-only">
              Last data
            </th>
            <th scope="col" class="number wide-only">
              Taken, 7 days
            </th>
            <th scope="col" class="number wide-only">
              Refused, 7 days
            </th>
            <th scope="col" class="wide-only">
              What to do
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ConnectionEntry key={row.id} row={row} shop={shop.shop_id} currency={shop.currency} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
