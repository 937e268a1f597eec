import type { AppPerson } from '../../../../schemas/people.js';
import { Badge } from '../../shared/badge.js';
import { formatMoment } from '../../shared/days.js';
import { useMe } from '../../shared/signed-in.js';
import { ROLE_MEANS, ROLE_NAMES, shopsIn } from './words.js';

export function PersonRow(props: { person: AppPerson; onChange: () => void; onInvite: () => void }) {
  const { person } = props;
  const { person_id, name, role, shops, has_joined } = person;
  const isSelf = useMe()?.person_id === person_id;
  return (
    <tr>
      <th scope="row" class="wide">
        {name} {isSelf && <span class="soft">(you)</span>}
      </th>
      <td>
        {ROLE_NAMES[role]}
        <span class="sub">{ROLE_MEANS[role]}</span>
      </td>
      <td class="wide">{shopsIn(shops)}</td>
      <td>
        <SignedInAt person={person} />
      </td>
      <td class="doings">
        {!isSelf && (
          <div class="row tight">
            {!has_joined && (
              <button type="button" onClick={props.onInvite} aria-label={`New link for ${name}`}>
                New link
              </button>
            )}
            <button type="button" onClick={props.onChange} aria-label={`Change ${name}`}>
              Change…
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}

function SignedInAt({ person: { has_joined, invited_until, sessions, seen_at } }: { person: AppPerson }) {
  if (!has_joined) {
    const isOver = invited_until !== null && Date.parse(invited_until) < Date.now();
    return <Badge tone={isOver ? 'warn' : 'calm'}>{isOver ? 'Link is over' : 'Link made, not used'}</Badge>;
  }
  if (seen_at === null) return <>not signed in</>;
  return (
    <>
      {formatMoment(seen_at)}
      <span class="sub">{sessions === 1 ? '1 session' : `${sessions} sessions`}</span>
    </>
  );
}
