import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, isSignedIn, signIn } from './shared/api.js';
import { applyTheme } from './shared/chosen-theme.js';

/** Where to go after signing in: a page of the app, never another site. */
function target(): string {
  const next = new URL(location.href).searchParams.get('next') ?? '/';
  return /^\/(?:developers|shop\/[^?\\]*)?(?:\?.*)?$/.test(next) ? next : '/';
}

function SignIn() {
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');

  const enter = async (proof: { token: string } | { ticket: string }) => {
    setBusy(true);
    setTrouble('');
    try {
      await signIn(proof);
      location.replace(target());
    } catch (error) {
      setTrouble(error instanceof Failure ? error.message : String(error));
      setBusy(false);
    }
  };

  useEffect(() => {
    const ticket = /^#ticket=([\w.-]+)$/.exec(location.hash)?.[1];
    // A used link is worth nothing, but it has no place in the history either.
    if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
    isSignedIn().then(
      (signedIn) => {
        if (signedIn) location.replace(target());
        else if (ticket !== undefined) void enter({ ticket });
      },
      (error: unknown) => setTrouble(error instanceof Failure ? error.message : String(error)),
    );
  }, []);

  const submit = (event: Event) => {
    event.preventDefault();
    void enter({ token: token.trim() });
  };
  return (
    <main class="sign-in">
      <form class="panel" onSubmit={submit}>
        <h1>Sign in</h1>
        <p class="note">
          Use the admin token of this service. It was set as <code>ADMIN_TOKEN</code>, or <code>npm start</code> made
          one and keeps it in the file <code>admin-token</code> of the data folder.
        </p>
        <label class="field">
          <span>Admin token</span>
          <input
            type="password"
            required
            autocomplete="current-password"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
            aria-describedby="trouble"
          />
        </label>
        <div id="trouble" role="alert" class="fault">
          {trouble}
        </div>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="note">
          Or open a link that signs in once: <code>npm run --silent profit -- sign-in</code> prints one.
        </p>
      </form>
    </main>
  );
}

applyTheme();
const app = document.getElementById('app');
if (app !== null) render(<SignIn />, app);
