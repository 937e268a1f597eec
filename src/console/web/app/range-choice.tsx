import { useRef, useState } from 'preact/hooks';
import { addDays, formatRange, lengthOf, periodBefore, todayIn, type Range } from '../shared/days.js';
import { Icon } from '../shared/icon.js';
import { linkHere } from './address.js';
import { comparedDays } from './compared.js';
import { useKeys } from './keys.js';
import { navigate } from './navigation.js';
import { rangeParams } from './range.js';
import { RangeDraft } from './range-draft.js';
import type { View } from './view.js';

interface Props {
  view: View;
  preset: string | null;
  /** Whether the page compares. */
  isCompared: boolean;
}

/** The days of the page: one button that opens all ways to choose others, and links to those before and after. */
export function RangeChoice({ view, preset, isCompared }: Props) {
  const { address, timezone } = view;
  const range = { from: view.from, to: view.to };
  const today = todayIn(timezone);
  const after = { from: addDays(range.to, 1), to: addDays(range.to, lengthOf(range)) };
  const popover = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** A draft begins when it is opened, and is dropped when it is closed. */
  const [isOpen, setOpen] = useState(false);
  const link = (to: Range): string => linkHere(address, rangeParams(to));
  const linkBefore = link(periodBefore(range));
  const linkAfter = after.to <= today ? link(after) : null;
  useKeys({
    r: () => button.current?.click(),
    '[': () => navigate(linkBefore),
    ']': () => {
      if (linkAfter !== null) navigate(linkAfter);
    },
  });
  const compared = comparedDays(range, view.vs, today);
  return (
    <div class="range">
      <div class="group">
        <a class="button icon-button" href={linkBefore} aria-label="The period before">
          <Icon name="left" />
        </a>
        <button ref={button} type="button" class="range-button" popovertarget="range" aria-haspopup="dialog">
          <Icon name="calendar" />
          <span>{formatRange(range)}</span>
          {isCompared && (
            <span class="soft wide-only">
              {compared === null ? 'no comparison' : `vs ${formatRange(compared, range.to)}`}
            </span>
          )}
          <Icon name="down" />
        </button>
        {linkAfter === null ? (
          <button type="button" class="icon-button" disabled aria-label="The period after">
            <Icon name="right" />
          </button>
        ) : (
          <a class="button icon-button" href={linkAfter} aria-label="The period after">
            <Icon name="right" />
          </a>
        )}
      </div>
      <div
        id="range"
        popover="auto"
        role="dialog"
        aria-label="Choose days"
        class="range-pop"
        ref={popover}
        onBeforeToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && (
          <RangeDraft
            view={view}
            preset={preset}
            show={(params) => {
              popover.current?.hidePopover();
              navigate(linkHere(address, params));
            }}
          />
        )}
      </div>
    </div>
  );
}
