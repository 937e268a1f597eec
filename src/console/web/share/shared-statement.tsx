import type { MetricsAnswer } from '../shared/answers.js';
import { ROWS } from '../statement/rows.js';
import { Statement } from '../statement/statement.js';
import { leftOutOf, verdictOf } from '../statement/verdict.js';
import { VerdictBadge } from '../statement/verdict-badge.js';
import { SharedPanel } from './shared-panel.js';
import type { Shared } from './use-shared.js';

export function SharedStatement({ currency, answer }: { currency: string; answer: Shared<MetricsAnswer> }) {
  return (
    <SharedPanel title="Statement" of={answer}>
      {(now) => {
        const verdict = verdictOf(now.coverage, leftOutOf(now));
        const { word, gaps, estimates } = verdict;
        return (
          <>
            {now.orders > 0 && word === '' && (
              <p>
                <VerdictBadge verdict={verdict} />
                {estimates.length > 0 && ` Estimated: ${estimates.join(', ')}.`}
              </p>
            )}
            {word !== '' && (
              <p class="notice">
                Earnings are {word === 'incomplete' ? word : `${word} this`}: {gaps.join(' and ')}{' '}
                {gaps.length === 1 ? 'is' : 'are'} not known.
              </p>
            )}
            <Statement rows={ROWS} currency={currency} now={now} />
          </>
        );
      }}
    </SharedPanel>
  );
}
