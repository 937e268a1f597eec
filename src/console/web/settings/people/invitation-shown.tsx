import type { FreshInvitation } from '../../../../schemas/people.js';
import { formatUntil } from '../../shared/days.js';
import { Copyable, Dialog } from '../../shared/dialog.js';

/** An invitation in the one moment in which its link can be seen. */
export function InvitationShown({ fresh, onClose }: { fresh: FreshInvitation; onClose: () => void }) {
  const { person, code } = fresh;
  return (
    <Dialog title={`Link for ${person.name}`} onClose={onClose}>
      <p class="notice">
        Copy it now and hand it over yourself: it is not shown again. It works once, until{' '}
        {formatUntil(person.invited_until)}.
      </p>
      <Copyable text={`${location.origin}/join#${code}`} label="Invitation link" />
      <div class="row">
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
