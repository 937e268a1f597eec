import { useEffect, useState } from 'preact/hooks';
import { lengthOf, PRESETS, rangeFault, todayIn, type Range } from '../shared/days.js';
import { ComparisonChoice } from './comparison-choice.js';
import { DayField } from './day-field.js';
import { rangeParams, vsParams, type Comparison } from './range.js';
import { areKeysOn, setKeysOn } from './range-keys.js';
import type { View } from './view.js';

interface Props {
  view: View;
  preset: string | null;
  /** Takes the parameters of what was chosen. */
  show: (params: Record<string, string | null>) => void;
}

/** Presets, two days to type or to pick, and the comparison; nothing is read before they are taken. */
export function RangeDraft({ view, preset, show }: Props) {
  const { from, to, vs, timezone } = view;
  const today = todayIn(timezone);
  const [draft, setDraft] = useState<Range & { vs: Comparison }>({ from, to, vs });
  const [fault, setFault] = useState('');
  const [keys, setKeys] = useState(areKeysOn);
  useEffect(() => {
    setDraft({ from, to, vs });
    setFault('');
  }, [from, to, vs]);
  const found = rangeFault(draft, today);
  const range = { from: draft.from, to: draft.to };
  const isSame = draft.from === from && draft.to === to;
  const take = (event: Event): void => {
    event.preventDefault();
    setFault(found ?? '');
    if (found === null) show({ ...(!isSame || preset === null ? rangeParams(range) : {}), ...vsParams(draft.vs) });
  };
  const days = found === null ? lengthOf(draft) : null;
  return (
    <>
      <ul class="presets">
        {PRESETS.map(({ id, label }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === preset}
              onClick={() => show({ ...rangeParams(id), ...vsParams(draft.vs) })}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
      <form class="range-draft" onSubmit={take} noValidate>
        <div class="fields">
          <DayField
            label="From"
            value={draft.from}
            today={today}
            onInput={(day) => setDraft({ ...draft, from: day })}
          />
          <DayField label="To" value={draft.to} today={today} onInput={(day) => setDraft({ ...draft, to: day })} />
        </div>
        <p class="wrong" role="alert">
          {fault}
        </p>
        <ComparisonChoice
          range={found === null ? range : null}
          today={today}
          vs={draft.vs}
          setVs={(next) => setDraft({ ...draft, vs: next })}
        />
        <label class="choice small">
          <input type="checkbox" checked={keys} onChange={(event) => setKeys(setKeysOn(event.currentTarget.checked))} />
          <span>The keys [ and ] show the period before and after</span>
        </label>
        <p class="small soft">Days in {timezone}. Nothing is read until you press Show.</p>
        <button class="primary">{days === null ? 'Show' : days === 1 ? 'Show 1 day' : `Show ${days} days`}</button>
      </form>
    </>
  );
}
