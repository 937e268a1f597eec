import { useEffect, useState } from 'preact/hooks';
import { navigate } from '../app/navigation.js';

interface Props {
  label: string;
  placeholder: string;
  value: string;
  hrefOf: (text: string) => string;
}

/** What is typed is a draft until Enter. */
export function Search({ label, placeholder, value, hrefOf }: Props) {
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
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
    </form>
  );
}
