import { FIRST_DAY } from '../shared/days.js';

/** A day to type or to pick. */
export function DayField(props: { label: string; value: string; today: string; onInput: (day: string) => void }) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        type="date"
        value={props.value}
        min={FIRST_DAY}
        max={props.today}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </label>
  );
}
