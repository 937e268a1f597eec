import type { AppSession, SessionsAnswer } from '../../../../schemas/people.js';
import { change } from '../../shared/api.js';
import { formatMoment } from '../../shared/days.js';
import { Answer, Panel, FailureNotice, useAction } from '../../shared/frame.js';
import { Table, words } from '../../shared/table.js';
import { useRead } from '../../shared/use-read.js';

const COLUMNS = words('Began', 'Last used', <span class="unseen">Actions</span>);

/** Sessions of one person; each can be ended. */
export function Sessions({ title, path }: { title: string; path: string }) {
  const loaded = useRead<SessionsAnswer>(path);
  const { busy, failure, run } = useAction();
  const end = ({ session_id }: AppSession) =>
    run(async () => {
      await change(`${path}/${session_id}/end`);
      loaded.reload();
    });
  return (
    <Panel title={title} class="flush">
      <Answer of={loaded} what="sessions">
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p class="empty">No session is open.</p>
          ) : (
            <Table label={title} folds columns={COLUMNS}>
              {sessions.map((session) => (
                <tr key={session.session_id}>
                  <td>{formatMoment(session.began_at)}</td>
                  <td>{session.is_own ? 'this one, now' : formatMoment(session.seen_at)}</td>
                  <td class="doings">
                    {!session.is_own && (
                      <button
                        type="button"
                        class="danger-quiet"
                        disabled={busy}
                        onClick={() => void end(session)}
                        aria-label={`End the session of ${formatMoment(session.began_at)}`}
                      >
                        End
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Answer>
      {failure !== null && <FailureNotice failure={failure} />}
    </Panel>
  );
}
