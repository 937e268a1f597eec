import { useState } from 'preact/hooks';
import type { Shop } from '../../../../schemas/app.js';
import type { FreshInvitation } from '../../../../schemas/people.js';
import { change } from '../../shared/api.js';
import { Dialog } from '../../shared/dialog.js';
import { useAction } from '../../shared/frame.js';
import { FormEnd } from '../../shared/form-end.js';
import { RightsFields, type Rights } from './rights-fields.js';

/** Asks for a name and rights; the answer holds the link. */
export function Invite(props: {
  /** The one of the address, which they are invited to unless another is chosen. */
  shop: string;
  shops: Shop[];
  onClose: () => void;
  onMade: (fresh: FreshInvitation) => void;
}) {
  const [name, setName] = useState('');
  const [rights, setRights] = useState<Rights>({ role: 'viewer', shops: [props.shop] });
  const { busy, failure, run } = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void run(async () => props.onMade(await change<FreshInvitation>('/app/api/people', { name, ...rights })));
  };
  return (
    <Dialog title="Invite somebody" onClose={props.onClose}>
      <form onSubmit={submit}>
        <label class="field">
          <span>Name</span>
          <input
            required
            maxLength={64}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <RightsFields value={rights} shop={props.shop} shops={props.shops} onChange={setRights} />
        <FormEnd
          action="Make the link"
          isDisabled={busy || rights.shops?.length === 0}
          failure={failure}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  );
}
