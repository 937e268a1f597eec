import { useState } from 'preact/hooks';
import { formatRange, lengthOf, rangeFault, todayIn, type Range } from '../shared/days.js';
import { zoneName } from '../shared/zone.js';
import { ComparisonChoice } from './comparison-choice.js';
import { DayField } from './day-field.js';
import { DayGrid } from './day-grid.js';
import { KeySetting } from './key-setting.js';
import { areKeysOn } from './keys.js';
import { Presets } from './presets.js';
import { rangeParams, vsParams, type Comparison } from './range.js';
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
  const [hasKeys, setHasKeys] = useState(areKeysOn);
  const found = rangeFault(draft, today);
  const range = found === null ? { from: draft.from, to: draft.to } : null;
  const isSame = draft.from === from && draft.to === to;
  const take = (event: Event): void => {
    event.preventDefault();
    setFault(found ?? '');
    if (range !== null) show({ ...(!isSame || preset === null ? rangeParams(range) : {}), ...vsParams(draft.vs) });
  };
  const days = range === null ? null : lengthOf(range);
  const length = days === null ? '' : days === 1 ? '1 day' : `${days} days`;
  return (
    <>
      <Presets preset={preset} take={(id) => show({ ...rangeParams(id), ...vsParams(draft.vs) })} hasKeys={hasKeys} />
      <form class="range-draft" onSubmit={take} noValidate>
        <div class="fields">
          {(['from', 'to'] as const).map((end) => (
            <DayField
              key={end}
              label={end === 'from' ? 'From' : 'To'}
              value={draft[end]}
              today={today}
              hint="day-hint"
              onInput={(day) => setDraft({ ...draft, [end]: day })}
            />
          ))}
        </div>
        <p id="day-hint" class="small soft">
          Type “1 dec 2010”, “2010-12-01” or “-7” (7 days ago), then Enter.
        </p>
        <p class="wrong" role="alert">
          {fault}
        </p>
        <DayGrid range={range} today={today} onPick={(picked) => setDraft({ ...draft, ...picked })} />
        <ComparisonChoice
          range={range}
          today={today}
          vs={draft.vs}
          setVs={(next) => setDraft({ ...draft, vs: next })}
        />
        <KeySetting isOn={hasKeys} setOn={setHasKeys} />
        <div class="foot">
          <p class="small soft" aria-live="polite">
            {range !== null && `${formatRange(range)}, ${length}. `}
            Days in {zoneName(timezone)}. Nothing is read until you press Show.
          </p>
          <button type="button" popovertarget="range" popovertargetaction="hide">
            Cancel
          </button>
          <button class="primary">{`Show ${length}`.trim()}</button>
        </div>
      </form>
    </>
  );
}
