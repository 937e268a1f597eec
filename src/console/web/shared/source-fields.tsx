import { currentCurrencies } from '../../../domain/currency.js';

const CURRENCIES = currentCurrencies();
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** What a shop registers about itself. */
export interface SourceDraft {
  platform: string;
  currency: string;
  timezone: string;
}

export const NEW_SOURCE: SourceDraft = {
  platform: 'custom',
  currency: 'EUR',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
};

/** The fields of {@link SourceDraft}; currency and time zone are fixed once an order was accepted. */
export function SourceFields<T extends SourceDraft>(props: {
  draft: T;
  setDraft: (draft: T) => void;
  isLocked?: boolean;
}) {
  const { draft, setDraft, isLocked = false } = props;
  const choice = (field: 'currency' | 'timezone', label: string, options: readonly string[]) => (
    <label class="field">
      <span>{label}</span>
      <select
        value={draft[field]}
        disabled={isLocked}
        onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
      >
        {[...new Set([draft[field], ...options])].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <label class="field">
        <span>Platform</span>
        <input
          required
          maxLength={64}
          value={draft.platform}
          onInput={(event) => setDraft({ ...draft, platform: event.currentTarget.value })}
        />
      </label>
      {choice('currency', 'Currency', CURRENCIES)}
      {choice('timezone', 'Time zone', ZONES)}
    </>
  );
}
