import { useEffect, useState } from 'preact/hooks';
import type { LogAnswer } from '../../../../schemas/people.js';
import { CHANGED } from '../../shared/api.js';
import { formatMoment } from '../../shared/days.js';
import { Answer, Panel } from '../../shared/frame.js';
import { formatCount } from '../../shared/money.js';
import { Icon } from '../../shared/icon.js';
import { Table, words } from '../../shared/table.js';
import { useRead } from '../../shared/use-read.js';

/** Who did what, newest first, page by page. */
export function Deeds() {
  const [before, setBefore] = useState('');
  const loaded = useRead<LogAnswer>(`/app/api/log${before === '' ? '' : `?before=${before}`}`);
  useEffect(() => {
    addEventListener(CHANGED, loaded.reload);
    return () => removeEventListener(CHANGED, loaded.reload);
  }, []);
  const next = loaded.data?.next;
  return (
    <Panel
      title="Who did what"
      class="flush"
      actions={
        <a class="button csv" href="/app/api/log/csv" download>
          <Icon name="download" />
          CSV
        </a>
      }
    >
      <Answer of={loaded} what="entries">
        {({ entries }) => (
          <Table label="Who did what" folds columns={words('When', 'Who', 'What', 'Shop')} isTall>
            {entries.map(({ entry_id, at, person_id, name, what, shop, times }) => (
              <tr key={entry_id}>
                <td>{formatMoment(at)}</td>
                <th scope="row" class="wide">
                  {name}
                  <span class="sub">{person_id === '' ? 'admin token' : person_id}</span>
                </th>
                <td class="wide">
                  {what}
                  {times > 1 && `, ${formatCount(times)} times`}
                </td>
                <td class="wide">{shop ?? '–'}</td>
              </tr>
            ))}
          </Table>
        )}
      </Answer>
      {(before !== '' || next !== undefined) && (
        <div class="pager">
          <span />
          {before !== '' && (
            <button type="button" onClick={() => setBefore('')}>
              Newest
            </button>
          )}
          {next !== undefined && (
            <button type="button" onClick={() => setBefore(next)}>
              Earlier
            </button>
          )}
        </div>
      )}
    </Panel>
  );
}
