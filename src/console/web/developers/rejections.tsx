import { shopApi } from '../shared/api.js';
import { kindLabel } from '../shared/kinds.js';
import { formatCount } from '../shared/money.js';
import { Answer, Panel } from '../shared/frame.js';
import type { IngestStatus } from '../../../schemas/ingest-status.js';
import { numbers, Table, words } from '../shared/table.js';
import { useRead } from '../shared/use-read.js';

const columns = [...words('Kind', 'Code'), ...numbers('Times'), ...words('A message')];

/** What was refused lately, why, and an example of each. */
export function Rejections({ shop }: { shop: string }) {
  const loaded = useRead<IngestStatus>(shopApi(shop, '/v1/ingest/status'));
  const { data } = loaded;
  const rows = Object.entries(data?.kinds ?? {}).flatMap(([kind, { top_error_codes }]) =>
    top_error_codes.map((row) => ({ kind, ...row })),
  );
  return (
    <Panel title="Rejected pushes" note="Items that were refused in the last 30 days, the most frequent reasons first.">
      <Answer of={loaded} what="rejected pushes" />
      {data !== null && rows.length === 0 && <p class="empty">Nothing was refused.</p>}
      {rows.length > 0 && (
        <Table label="Rejected pushes" folds columns={columns}>
          {rows.map(({ kind, code, count, sample_message }) => (
            <tr key={kind + code}>
              <td>{kindLabel(kind)}</td>
              <td>
                <code>{code}</code>
              </td>
              <td class="number">{formatCount(count)}</td>
              <td class="wide">{sample_message}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
