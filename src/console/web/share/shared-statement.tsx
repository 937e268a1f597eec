import type { MetricsAnswer } from '../shared/answers.js';
import { ROWS } from '../statement/rows.js';
import { Statement } from '../statement/statement.js';
import { verdictOf } from '../statement/verdict.js';
import { SharedPanel } from './shared-panel.js';
import { useShared } from './use-shared.js';

export function SharedStatement({ currency }: { currency: string }) {
  const answer = useShared<MetricsAnswer>('/app/api/share/statement');
  return (
    <SharedPanel title="Statement" of={answer}>
      {(now) => {
        const { word, gaps } = verdictOf(now.coverage);
        return (
          <>
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
