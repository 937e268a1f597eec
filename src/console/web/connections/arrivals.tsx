import { formatMoment } from '../shared/days.js';
import { Answer, Panel } from '../shared/frame.js';
import { kindLabel } from '../shared/kinds.js';
import { formatCount } from '../shared/money.js';
import type { IngestStatus } from '../../../schemas/ingest-status.js';
import { numbers, Table, words } from '../shared/table.js';
import type { Loaded } from '../shared/use-read.js';

/** What arrives, and how much of it is refused. */
export function Arrivals({ shop, status }: { shop: string; status: Loaded<IngestStatus> }) {
  return (
    <Panel title="What arrives" note="In the last 7 days up to now, whatever days the figures are of.">
      <Answer of={status} what="ingest state">
        {({ kinds }) => (
          <>
            <Kinds kinds={kinds} />
            <p class="note">
              Why items were rejected: see{' '}
              <a href={`/developers?shop=${encodeURIComponent(shop)}#rejected-pushes`}>Developers</a>.
            </p>
          </>
        )}
      </Answer>
    </Panel>
  );
}

function Kinds({ kinds }: { kinds: IngestStatus['kinds'] }) {
  return (
    <Table label="What arrived" columns={[...words('Kind', 'Last received'), ...numbers('Accepted', 'Rejected')]}>
      {Object.entries(kinds).map(([kind, { last_received_at, windows }]) => (
        <tr key={kind}>
          <th scope="row">{kindLabel(kind)}</th>
          <td>{last_received_at === null ? 'never' : formatMoment(last_received_at)}</td>
          <td class="number">{formatCount(windows['7d'].accepted)}</td>
          <td class="number">{formatCount(windows['7d'].rejected)}</td>
        </tr>
      ))}
    </Table>
  );
}
