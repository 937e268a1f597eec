import type { ComponentChildren } from 'preact';

/** A form in the middle of the page, before anybody is signed in. */
export function Entrance(props: {
  trouble: string;
  busy: boolean;
  action: string;
  onSubmit: () => void;
  children: ComponentChildren;
  foot: ComponentChildren;
}) {
  const submit = (event: Event) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <main class="sign-in">
      <form class="panel" onSubmit={submit}>
        <EntranceTitle />
        {props.children}
        <div id="trouble" role="alert" class="fault">
          {props.trouble}
        </div>
        <button type="submit" class="primary" disabled={props.busy}>
          {props.action}
        </button>
        <p class="note">{props.foot}</p>
      </form>
    </main>
  );
}

export function EntranceTitle() {
  return (
    <div class="entrance-title">
      <span class="mark" aria-hidden="true">
        P
      </span>
      <h1>Profit metrics</h1>
    </div>
  );
}

export function EntranceField(props: {
  label: string;
  isSecret?: boolean;
  autocomplete: 'username' | 'current-password' | 'new-password';
  hint?: string;
  value: string;
  onInput: (value: string) => void;
}) {
  const { label, isSecret = false, autocomplete, hint, value, onInput } = props;
  const input = {
    required: true,
    maxLength: isSecret ? 1000 : 64,
    autocomplete,
    value,
    onInput: (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
    'aria-describedby': 'trouble',
  };
  return (
    <label class="field">
      <span>{label}</span>
      {isSecret ? <input type="password" {...input} /> : <input type="text" {...input} />}
      {hint !== undefined && <span class="note">{hint}</span>}
    </label>
  );
}
