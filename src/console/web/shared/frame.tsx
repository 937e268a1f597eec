import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { change, failureOf, type Failure } from './api.js';
import type { Loaded } from './use-read.js';

const LINKS = [
  { href: '/', label: 'Dashboard' },
  { href: '/developers', label: 'Developers' },
  { href: '/docs', label: 'API docs' },
] as const;

/** The frame of a page: the way around, and what the page holds. */
export function Frame({ children, shop }: { children: ComponentChildren; shop?: string | undefined }) {
  const query = shop === undefined ? '' : `?shop=${encodeURIComponent(shop)}`;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="wrap">
          <a class="brand" href={`/${query}`}>
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
              <path
                d="M3 20V10M9 20V4M15 20v-7M21 20V7"
                stroke="currentColor"
                stroke-width="3"
                stroke-linecap="round"
              />
            </svg>
            <span>Profit metrics</span>
          </a>
          <nav aria-label="Pages">
            {LINKS.map(({ href, label }) => (
              <a
                key={href}
                href={href === '/docs' ? href : href + query}
                aria-current={location.pathname === href ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <SignOut />
        </div>
      </header>
      <main id="main" class="wrap" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function SignOut() {
  const leave = () =>
    change('/app/api/sign-out').then(
      () => location.assign('/signin'),
      () => location.reload(),
    );
  return (
    <button type="button" class="quiet" onClick={() => void leave()}>
      Sign out
    </button>
  );
}

export function Panel(props: {
  title: string;
  id?: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}) {
  const id = props.id ?? props.title.toLowerCase().replace(/[^a-z]+/g, '-');
  return (
    <section class={`panel ${props.class ?? ''}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{props.title}</h2>
        {props.actions}
      </div>
      {props.note !== undefined && <p class="note">{props.note}</p>}
      {props.children}
    </section>
  );
}

/** What went wrong, and a way to try again. */
export function Trouble({ failure, retry, note }: { failure: Failure; retry?: () => void; note?: string }) {
  return (
    <div class="trouble" role="alert">
      <p>
        {failure.message} {note}
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Loading({ what, rows = 3 }: { what: string; rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading {what}…</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} class="bone" />
      ))}
    </div>
  );
}

/** The answer of a read, or that it is loading, or why it failed. After a failure the last answer stays, with a note beside it. */
export function Answer<T>(props: {
  of: Loaded<T>;
  what: string;
  rows?: number;
  /** Absent where the page shows the data in several places. */
  children?: (data: T) => ComponentChildren;
}) {
  const { data, failure, reload } = props.of;
  return (
    <>
      {failure !== null && (
        <Trouble
          failure={failure}
          retry={reload}
          note={data === null ? `No ${props.what} until then.` : `The ${props.what} below may be out of date.`}
        />
      )}
      {data === null && failure === null && <Loading what={props.what} {...(props.rows && { rows: props.rows })} />}
      {data !== null && props.children?.(data)}
    </>
  );
}

/** Runs a change: whether it is under way, and how it failed. */
export function useAction(): {
  busy: boolean;
  failure: Failure | null;
  run: (action: () => Promise<unknown>) => Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  return {
    busy,
    failure,
    async run(action) {
      setBusy(true);
      setFailure(null);
      try {
        await action();
        return true;
      } catch (error) {
        setFailure(failureOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
