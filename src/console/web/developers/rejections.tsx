import { shopApi } from '../shared/api.js';
import { kindLabel } from '../shared/kinds.js';
import { formatCount } from '../shared/money.js';
import { Loading, Panel, Trouble } from '../shared/frame.js';
import type { IngestStatus } from '../shared/types.js';
import { useRead } from '../shared/use-read.js';

/** What was refused lately, why, and an example of each. */
export function Rejections({ shop }: { shop: string }) {
  const { data, failure, reload } = useRead<IngestStatus>(shopApi(shop, '/v1/ingest/status'));
  const rows = Object.entries(data?.kinds ?? {}).flatMap(([kind, { top_error_codes }]) =>
    top_error_codes.map((row) => ({ kind, ...row })),
  );
  return (
    <Panel title="Rejected pushes" note="Items that were refused in the last 30 days, the most frequent reasons first.">
      {failure !== null && <Trouble failure={failure} retry={reload} />}
      {data === null && failure === null && <Loading what="rejected pushes" />}
      {data !== null && rows.length === 0 && <p class="empty">Nothing was refused.</p>}
      {rows.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Rejected pushes, table">
          <table>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">Code</th>
                <th scope="col" class="number">
                  Times
                </th>
                <th scope="col">A message</th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
