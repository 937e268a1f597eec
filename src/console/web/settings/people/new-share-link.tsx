import { useState } from 'preact/hooks';
import type { FreshShareLink } from '../../../../schemas/people.js';
import { DayField } from '../../app/day-field.js';
import { addDays, formatRange, formatUntil, rangeFault, todayIn, type Range } from '../../shared/days.js';
import { Copyable, Dialog } from '../../shared/dialog.js';
import { useAction } from '../../shared/frame.js';
import { FormEnd } from '../../shared/form-end.js';

interface Props {
  timezone: string;
  make: (days: Range) => Promise<FreshShareLink>;
  onClose: () => void;
}

/** Asks for the days; then shows the link, once. */
export function NewShareLink({ timezone, make, onClose }: Props) {
  const today = todayIn(timezone);
  const [days, setDays] = useState<Range>({ from: addDays(today, -29), to: today });
  const [fresh, setFresh] = useState<FreshShareLink | null>(null);
  const { busy, failure, run } = useAction();
  const fault = rangeFault(days, today);
  const submit = (event: Event) => {
    event.preventDefault();
    void run(async () => setFresh(await make(days)));
  };
  if (fresh !== null) {
    return (
      <Dialog title="Link to these figures" onClose={onClose}>
        <p class="notice">
          Copy it now: it is not shown again. It shows {formatRange(fresh)} to everybody who has it, until{' '}
          {formatUntil(fresh.until)}.
        </p>
        <Copyable text={`${location.origin}/share#${fresh.token}`} label="Link to the figures" />
        <div class="row">
          <button type="button" class="primary" onClick={onClose}>
            I have kept it
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Share figures" onClose={onClose}>
      <form onSubmit={submit}>
        <div class="fields">
          <DayField label="From" value={days.from} today={today} onInput={(from) => setDays({ ...days, from })} />
          <DayField label="To" value={days.to} today={today} onInput={(to) => setDays({ ...days, to })} />
        </div>
        {fault !== null && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <FormEnd action="Make the link" isDisabled={busy || fault !== null} failure={failure} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
