import { useState } from 'preact/hooks';
import type { Shop } from '../../../../schemas/app.js';
import type { AppPerson, FreshInvitation, PeopleAnswer } from '../../../../schemas/people.js';
import { Answer, Panel, useAction } from '../../shared/frame.js';
import { change } from '../../shared/api.js';
import { Icon } from '../../shared/icon.js';
import { Table, words } from '../../shared/table.js';
import { useRead } from '../../shared/use-read.js';
import { ChangePerson } from './change-person.js';
import { Invite } from './invite.js';
import { InvitationShown } from './invitation-shown.js';
import { PersonRow } from './person-row.js';

type Open =
  { what: 'invite' } | { what: 'change'; person: AppPerson } | { what: 'shown'; fresh: FreshInvitation } | null;

const COLUMNS = words('Name', 'Role', 'Shops', 'Signed in', <span class="unseen">Actions</span>);

/** People with their roles. The code of an invitation lives in this component alone, until its dialog is closed. */
export function PeopleList({ shop, shops }: { shop: string; shops: Shop[] }) {
  const loaded = useRead<PeopleAnswer>('/app/api/people');
  const [open, setOpen] = useState<Open>(null);
  const { run, failure } = useAction();
  const close = () => setOpen(null);
  const done = () => {
    close();
    loaded.reload();
  };
  const show = (fresh: FreshInvitation) => {
    setOpen({ what: 'shown', fresh });
    loaded.reload();
  };
  const inviteAgain = ({ person_id }: AppPerson) =>
    run(async () => show(await change<FreshInvitation>(`/app/api/people/${person_id}/invitation`)));
  const invite = (
    <button type="button" class="primary" onClick={() => setOpen({ what: 'invite' })}>
      <Icon name="plus" /> Invite
    </button>
  );
  return (
    <Panel title="People" class="flush" actions={invite}>
      <Answer of={loaded} what="people">
        {({ people }) =>
          people.length === 0 ? (
            <p class="empty">
              Nobody has joined yet: the admin token alone signs in. Invite an owner, and keep the token as a way back.
            </p>
          ) : (
            <Table label="People" folds columns={COLUMNS}>
              {people.map((person) => (
                <PersonRow
                  key={person.person_id}
                  person={person}
                  onChange={() => setOpen({ what: 'change', person })}
                  onInvite={() => void inviteAgain(person)}
                />
              ))}
            </Table>
          )
        }
      </Answer>
      {failure !== null && (
        <p class="fault" role="alert">
          {failure.message}
        </p>
      )}
      <p class="panel-foot">
        An invitation is a link that works once, for 7 days. Hand it over yourself; the service sends no e-mail.
      </p>
      {open?.what === 'invite' && <Invite shop={shop} shops={shops} onClose={close} onMade={show} />}
      {open?.what === 'change' && (
        <ChangePerson person={open.person} shop={shop} shops={shops} onClose={close} onDone={done} onMade={show} />
      )}
      {open?.what === 'shown' && <InvitationShown fresh={open.fresh} onClose={close} />}
    </Panel>
  );
}
