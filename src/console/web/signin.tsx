import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, Failure, isSignedIn, type Proof } from './shared/api.js';
import { Entrance, EntranceField } from './shared/entrance.js';
import { applyTheme } from './shared/chosen-theme.js';
import { dropKept } from './shared/answer-cache.js';

/** Where to go after signing in: a page of the app, never another site. */
function target(): string {
  const next = new URL(location.href).searchParams.get('next') ?? '/';
  return /^\/(?:developers|shop\/[^?\\]*)?(?:\?.*)?$/.test(next) ? next : '/';
}

/** With name and password; the operator with the admin token, or by a printed link. */
function SignIn() {
  const [byToken, setByToken] = useState(false);
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');

  const enter = async (proof: Proof) => {
    setBusy(true);
    setTrouble('');
    try {
      await ask('/app/api/sign-in', proof);
      location.replace(target());
    } catch (error) {
      setTrouble(error instanceof Failure ? error.message : String(error));
      setBusy(false);
    }
  };

  useEffect(() => {
    const begin = () => {
      const ticket = /^#ticket=([\w.-]+)$/.exec(location.hash)?.[1];
      // A used link is worth nothing, but it has no place in the history either.
      if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
      isSignedIn().then(
        (signedIn) => {
          if (signedIn) {
            location.replace(target());
            return;
          }
          dropKept();
          if (ticket !== undefined) void enter({ ticket });
        },
        (error: unknown) => setTrouble(error instanceof Failure ? error.message : String(error)),
      );
    };
    begin();
    // A printed link that is opened where this page is already does not load it again.
    addEventListener('hashchange', begin);
    return () => removeEventListener('hashchange', begin);
  }, []);

  const change = (): void => {
    setByToken(!byToken);
    setSecret('');
    setTrouble('');
  };
  return (
    <Entrance
      trouble={trouble}
      busy={busy}
      action="Sign in"
      onSubmit={() => void enter(byToken ? { token: secret.trim() } : { name, password: secret })}
      foot={
        <>
          {byToken ? (
            <>
              It was set as <code>ADMIN_TOKEN</code>, or <code>npm start</code> made one and keeps it in the file{' '}
              <code>admin-token</code> of the data folder. <code>npm run --silent profit -- sign-in</code> prints a link
              that signs in once.{' '}
            </>
          ) : (
            'First time? Open your invitation link. Operator? '
          )}
          <button type="button" class="link" onClick={change}>
            {byToken ? 'Sign in with name and password' : 'Sign in with the admin token'}
          </button>
        </>
      }
    >
      {!byToken && <EntranceField label="Name" autocomplete="username" value={name} onInput={setName} />}
      <EntranceField
        key={String(byToken)}
        label={byToken ? 'Admin token' : 'Password'}
        isSecret
        autocomplete="current-password"
        value={secret}
        onInput={setSecret}
      />
    </Entrance>
  );
}

applyTheme();
const app = document.getElementById('app');
if (app !== null) render(<SignIn />, app);
