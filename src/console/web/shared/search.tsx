import { useEffect, useId, useState } from 'preact/hooks';
import { navigate } from '../app/navigation.js';

interface Props {
  label: string;
  placeholder: string;
  value: string;
  hrefOf: (text: string) => string;
  /** Suggested while it is typed; others can be typed too. */
  known?: readonly { value: string; about?: string | undefined }[];
}

/** What is typed is a draft until Enter. */
export function Search({ label, placeholder, value, hrefOf, known }: Props) {
  const list = useId();
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  return (
    <form
      class="find"
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        navigate(hrefOf(draft.trim()));
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={draft}
        maxLength={255}
        {...(known && { list, autocomplete: 'off' })}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      {known && (
        <datalist id={list}>
          {known.map(({ value: one, about }) => (
            <option key={one} value={one} label={about} />
          ))}
        </datalist>
      )}
    </form>
  );
}
