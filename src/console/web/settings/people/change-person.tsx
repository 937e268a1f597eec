import { useState } from 'preact/hooks';
import type { Shop } from '../../../../schemas/app.js';
import type { AppPerson, FreshInvitation } from '../../../../schemas/people.js';
import { change } from '../../shared/api.js';
import { Dialog } from '../../shared/dialog.js';
import { useAction } from '../../shared/frame.js';
import { FormEnd } from '../../shared/form-end.js';
import { RightsFields, type Rights } from './rights-fields.js';
import { Sessions } from './sessions.js';

interface Props {
  person: AppPerson;
  /** The one of the address. */
  shop: string;
  shops: Shop[];
  onClose: () => void;
  onDone: () => void;
  onMade: (fresh: FreshInvitation) => void;
}

/** Rights, sessions and removal of a person, and a new link in place of a lost password. */
export function ChangePerson({ person, shop, shops, onClose, onDone, onMade }: Props) {
  const [rights, setRights] = useState<Rights>({ role: person.role, shops: person.shops });
  const [removing, setRemoving] = useState(false);
  const { busy, failure, run } = useAction();
  const path = `/app/api/people/${person.person_id}`;
  const save = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      await change(path, rights, 'PATCH');
      onDone();
    });
  };
  const remove = () =>
    run(async () => {
      await change(path, {}, 'DELETE');
      onDone();
    });
  const link = () => run(async () => onMade(await change<FreshInvitation>(`${path}/invitation`)));
  return (
    <Dialog title={`Change ${person.name}`} onClose={onClose}>
      <form onSubmit={save}>
        <RightsFields value={rights} shop={shop} shops={shops} onChange={setRights} />
        <p class="note">A change ends all sessions of {person.name}.</p>
        <FormEnd action="Save" isDisabled={busy || rights.shops?.length === 0} failure={failure} onCancel={onClose}>
          {person.has_joined && (
            <button type="button" disabled={busy} onClick={() => void link()}>
              Link for a new password
            </button>
          )}
          <button
            type="button"
            class={removing ? 'danger' : 'danger-quiet'}
            disabled={busy}
            onClick={() => (removing ? void remove() : setRemoving(true))}
          >
            {removing ? `Remove ${person.name} for good` : 'Remove'}
          </button>
        </FormEnd>
      </form>
      {person.sessions > 0 && <Sessions title={`Sessions of ${person.name}`} path={`${path}/sessions`} />}
    </Dialog>
  );
}
