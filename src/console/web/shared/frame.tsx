import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { failureOf, type Failure } from './api.js';
import { Icon } from './icon.js';
import { CurrentPerson } from './current-person.js';
import { OtherPages, ShopPages, type Current } from './navigation.js';
import { PhoneTabs } from './phone-tabs.js';
import { SignOut } from './sign-out.js';
import { StaleNotice } from './stale-notice.js';
import { ThemeButton } from './theme.js';
import type { Loaded } from './use-read.js';

interface FrameProps {
  shop?: string | undefined;
  /** Below the name of the shop. */
  about?: string;
  current?: Current | undefined;
  /** The days that are kept from page to page: a query without its question mark. */
  days?: string;
  /** Opens the box that finds. */
  find?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of every page: the navigation at its side, on a phone above and below it, and the content of the page. */
export function Frame(props: FrameProps) {
  const { shop, children } = props;
  const pages = { shop, current: props.current, days: props.days ?? '' };
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="app">
        <header class="side">
          <ShopName {...props} />
          {props.find}
          <nav class="nav" aria-label="Main">
            <ShopPages {...pages} />
          </nav>
          <nav class="nav" aria-label="Set up">
            <OtherPages {...pages} />
          </nav>
          <div class="nav push">
            <ThemeButton />
            <div class="you">
              <CurrentPerson shop={shop} />
              <SignOut />
            </div>
          </div>
        </header>
        <main id="main" class="main" tabIndex={-1}>
          <div class="wrap">{children}</div>
        </main>
        <PhoneTabs {...pages} />
      </div>
    </>
  );
}

/** The shop of the page; leads to the others. */
function ShopName({ shop, about }: FrameProps) {
  return (
    <a class="shop" href="/">
      <span class="mark" aria-hidden="true">
        {(shop ?? 'P').slice(0, 1).toUpperCase()}
      </span>
      <span class="shop-name">
        <b>{shop ?? 'All shops'}</b>
        <span class="small soft" title={about}>
          {about ?? ''}
        </span>
        {shop !== undefined && <span class="unseen">All shops</span>}
      </span>
      {shop !== undefined && <Icon name="down" />}
    </a>
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
export function FailureNotice({ failure, retry, note }: { failure: Failure; retry?: () => void; note?: string }) {
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

/** How a read failed, if it did, and of when what is still shown is. */
export function Failed({ of, what }: { of: Loaded<unknown>; what: string }) {
  const { failure, readAt, reload } = of;
  if (failure === null) return null;
  if (readAt !== null) return <StaleNotice failure={failure} retry={reload} what={what} readAt={readAt} />;
  return <FailureNotice failure={failure} retry={reload} note={`No ${what} until then.`} />;
}

/** The answer of a read, or that it is loading, or why it failed. After a failure the last answer stays, with a note. */
export function Answer<T>(props: {
  of: Loaded<T>;
  what: string;
  rows?: number;
  /** Absent where the page shows the data in several places. */
  children?: (data: T) => ComponentChildren;
}) {
  const { data, failure } = props.of;
  return (
    <>
      <Failed of={props.of} what={props.what} />
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
