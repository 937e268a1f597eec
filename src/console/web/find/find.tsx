import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FoundGroup } from './found-group.js';
import { useFound, type FindPlace } from './use-found.js';

/** A text, and what it finds: one of these is active, which Enter opens. `typed`: what the text begins as. */
export function Find({ typed, ...place }: FindPlace & { typed: { readonly current: string } }) {
  const [text, setText] = useState(() => typed.current);
  const [chosen, setChosen] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { groups, isReading, failure } = useFound(place, text);
  const all = groups.flatMap(({ found }) => found);
  const active = all.find(({ href }) => href === chosen) ?? all[0];
  // At once: keys may follow the one that opened the box.
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(
    () => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [active?.href],
  );

  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.isComposing || (step === 0 && event.key !== 'Enter')) return;
    event.preventDefault();
    if (step === 0) list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.click();
    else if (active !== undefined) setChosen(all.at((all.indexOf(active) + step) % all.length)?.href ?? null);
  };
  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label="Find"
        aria-expanded={all.length > 0}
        aria-controls="found"
        aria-activedescendant={active === undefined ? undefined : `found-${all.indexOf(active)}`}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        maxLength={255}
        placeholder="The beginning of an order or refund number, a SKU or a title, or the name of a page"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div ref={list} role="listbox" id="found" aria-label="Found" aria-busy={isReading}>
        {groups.map(({ name, found }, i) => (
          <FoundGroup
            key={name}
            name={name}
            found={found}
            first={groups.slice(0, i).reduce((sum, group) => sum + group.found.length, 0)}
            active={active?.href}
          />
        ))}
      </div>
      {failure !== null && <p class="fault">{failure.message}</p>}
      <p class="small soft" role="status">
        {isReading ? 'Looking…' : all.length === 0 ? 'Nothing begins so.' : `${all.length} found`}
        <span aria-hidden="true"> · ↑ ↓ choose · Enter opens · Esc closes</span>
      </p>
    </>
  );
}
