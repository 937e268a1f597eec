import { Amount } from '../../../src/console/web/shared/amount.js';
import { Badge, type Tone } from '../../../src/console/web/shared/badge.js';
import { Copy } from '../../../src/console/web/shared/copy.js';
import { Icon } from '../../../src/console/web/shared/icon.js';
import { HeadlineAmount } from '../../../src/console/web/shared/headline-amount.js';
import { NoValue } from '../../../src/console/web/shared/no-value.js';
import { StepMark } from '../../../src/console/web/shared/step-mark.js';
import { Component, State } from './state.js';

const AMOUNTS = { unread: undefined, whole: '1234.50', tail: '438283.22404', loss: '-0.5', nothing: '0' };
const TONES: readonly Tone[] = ['good', 'warn', 'bad', 'calm'];
const TICKS = ['done', 'now', 'open'] as const;

/** What shows an amount, a word or a mark. */
export function Figures() {
  return (
    <>
      <Component of="amount">
        {Object.entries(AMOUNTS).map(([name, value]) => (
          <State key={name} name={name}>
            <Amount value={value} currency="GBP" />
          </State>
        ))}
        <State name="signed">
          <Amount value="12" currency="GBP" signed />
        </State>
      </Component>
      <Component of="headline-amount">
        {Object.entries({ ...AMOUNTS, long: '-123456789012345.123456' }).map(([name, value]) => (
          <State key={name} name={name}>
            <HeadlineAmount value={value} currency="GBP" />
          </State>
        ))}
      </Component>
      <Component of="badge">
        {TONES.map((tone) => (
          <State key={tone} name={tone}>
            <Badge tone={tone}>{tone}</Badge>
          </State>
        ))}
      </Component>
      <Component of="step-mark">
        {TICKS.map((state, i) => (
          <State key={state} name={state}>
            <StepMark number={i + 1} state={state} />
          </State>
        ))}
      </Component>
      <Component of="no-value">
        <State name="with its reason">
          <NoValue why="No order" />
        </State>
      </Component>
      <Component of="icon">
        <State name="with a word">
          <Icon name="good" /> good
        </State>
      </Component>
      <Component of="copy">
        <State name="before it is pressed">
          <Copy value="1234.50" />
        </State>
      </Component>
    </>
  );
}
