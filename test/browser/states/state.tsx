import type { ComponentChildren } from 'preact';

/** All states of one component, by the name of its file. */
export function Component({ of, children }: { of: string; children: ComponentChildren }) {
  return (
    <section class="panel" data-component={of} aria-label={of}>
      <h2>{of}</h2>
      {children}
    </section>
  );
}

/** One of its states. */
export function State({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div data-state={name}>
      <h3 class="small soft">{name}</h3>
      {children}
    </div>
  );
}
