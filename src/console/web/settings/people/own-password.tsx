import { useState } from 'preact/hooks';
import { renewSession } from '../../shared/api.js';
import { Panel, FailureNotice, useAction } from '../../shared/frame.js';

/** Changes the password of who is signed in. */
export function OwnPassword({ onChanged }: { onChanged: () => void }) {
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [isDone, setIsDone] = useState(false);
  const { busy, failure, run } = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    setIsDone(false);
    void run(async () => {
      await renewSession('/app/api/password', { old, password });
      setOld('');
      setPassword('');
      setIsDone(true);
      onChanged();
    });
  };
  return (
    <Panel title="Your password" note="A change ends all your other sessions. A lost password is a new invitation.">
      <form onSubmit={submit}>
        <div class="fields">
          <label class="field">
            <span>The password you have</span>
            <input
              type="password"
              required
              autocomplete="current-password"
              value={old}
              onInput={(event) => setOld(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>Another one, at least 12 characters</span>
            <input
              type="password"
              required
              minLength={12}
              autocomplete="new-password"
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
          </label>
        </div>
        {failure !== null && <FailureNotice failure={failure} />}
        <div class="row">
          <button type="submit" disabled={busy}>
            Change password
          </button>
          <span role="status" class="note">
            {isDone && 'Changed. Your other sessions are over.'}
          </span>
        </div>
      </form>
    </Panel>
  );
}
