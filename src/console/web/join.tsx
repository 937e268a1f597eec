import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Role } from '../../domain/roles.js';
import type { InvitationAnswer } from '../../schemas/people.js';
import { ask, Failure } from './shared/api.js';
import { formatUntil } from './shared/days.js';
import { Entrance, EntranceField, EntranceTitle } from './shared/entrance.js';
import { applyTheme } from './shared/chosen-theme.js';

const MEANS: Readonly<Record<Role, string>> = {
  viewer: 'a viewer: you see all figures and change nothing',
  manager: 'a manager: you see all figures, and change settings and keys',
  owner: 'an owner: you may do everything',
};

/** Takes the code out of the address, so that it stays in no history. */
function takeCode(): string {
  const code = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return code;
}

/** Name and password of somebody who was invited. */
function Join({ code }: { code: string }) {
  const [invitation, setInvitation] = useState<InvitationAnswer | null>(null);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const failed = (error: unknown): void => {
    setTrouble(error instanceof Failure ? error.message : String(error));
    setBusy(false);
  };

  useEffect(() => {
    if (code === '') {
      setTrouble('This link is not whole: open it as it was handed over.');
      return;
    }
    ask<InvitationAnswer>('/app/api/invitation', { code }).then((answer) => {
      setInvitation(answer);
      setName(answer.name);
    }, failed);
  }, []);

  if (invitation === null) {
    return (
      <main class="sign-in">
        <div class="panel stack">
          <EntranceTitle />
          <p role="alert">{trouble === '' ? 'Reading the invitation…' : trouble}</p>
          <p class="note">
            Have you a password already? <a href="/signin">Sign in</a>
          </p>
        </div>
      </main>
    );
  }
  const enter = () => {
    setBusy(true);
    setTrouble('');
    ask('/app/api/join', { code, name, password }).then(() => location.replace('/'), failed);
  };
  return (
    <Entrance
      trouble={trouble}
      busy={busy}
      action="Join"
      onSubmit={enter}
      foot={`This link works once, until ${formatUntil(invitation.until)}.`}
    >
      <p>
        <b>{invitation.invited_by}</b> invites you to <b>{invitation.shops?.join(', ') ?? 'all shops'}</b> as{' '}
        {MEANS[invitation.role]}.
      </p>
      <EntranceField label="Your name" autocomplete="username" value={name} onInput={setName} />
      <EntranceField
        label="Choose a password"
        isSecret
        autocomplete="new-password"
        hint="At least 12 characters. Spaces are fine."
        value={password}
        onInput={setPassword}
      />
    </Entrance>
  );
}

applyTheme();
const app = document.getElementById('app');
if (app !== null) render(<Join code={takeCode()} />, app);
