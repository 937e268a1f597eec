import { linkHere, type Address } from '../app/address.js';
import { Amount } from '../shared/amount.js';
import type { ComparedAnswer } from '../shared/answers.js';
import { Badge } from '../shared/badge.js';
import { Copy } from '../shared/copy.js';
import { formatMoment } from '../shared/days.js';
import { HeadlineAmount } from '../shared/headline-amount.js';
import { isProfitAtMost, leftOutOf, verdictOf } from '../statement/verdict.js';
import { VerdictBadge } from '../statement/verdict-badge.js';
import { Delta } from './delta.js';

const WHAT_FOLLOWS = {
  '': '',
  'at most': 'What is not known counts as 0, so the real earnings are lower.',
  'at least': 'What is not known counts as 0, so the real earnings are higher.',
  incomplete: 'What is not known counts as 0.',
} as const;

interface Props {
  figures: ComparedAnswer | null;
  /** When they were read that stay while the store is away. */
  readAt: number | null;
  currency: string;
  address: Address;
}

/** The headline number, and whether it is complete. */
export function Headline({ figures, readAt, currency, address }: Props) {
  const verdict = figures === null || figures.orders === 0 ? null : verdictOf(figures.coverage, leftOutOf(figures));
  const earnings = figures?.statement.earnings;
  return (
    <div class="loud-box">
      <div class="row far">
        <h2 class="name">Earnings{verdict === null || verdict.word === '' ? '' : `, ${verdict.word}`}</h2>
        {readAt !== null ? (
          <Badge tone="warn" icon="wait">
            as of {formatMoment(new Date(readAt).toISOString())}
          </Badge>
        ) : (
          verdict !== null && <VerdictBadge verdict={verdict} />
        )}
      </div>
      <div class="row">
        <a
          class="plain"
          href={linkHere(address, { figure: 'earnings', view: null, sort: null })}
          data-figure="earnings"
        >
          <HeadlineAmount value={earnings} currency={currency} />
        </a>
        {earnings !== undefined && <Copy value={earnings} />}
      </div>
      <p class="soft net-line">
        Net profit, before taxes, packing and expenses:{' '}
        {verdict !== null && figures !== null && isProfitAtMost(figures.coverage) && 'at most '}
        <a href={linkHere(address, { figure: 'net_profit', view: null, sort: null })} data-figure="net_profit">
          <Amount value={figures?.net_profit} currency={currency} />
        </a>
      </p>
      <p class="soft change-line">{figures !== null && <Delta now={figures} currency={currency} />}</p>
      <p class="verdict">
        {verdict !== null && (
          <>
            {verdict.gaps.length > 0 && `Not known: ${verdict.gaps.join(', ')}. ${WHAT_FOLLOWS[verdict.word]} `}
            {verdict.estimates.length > 0 && `Estimated: ${verdict.estimates.join(', ')}.`}
            {verdict.gaps.length + verdict.estimates.length === 0 && 'All that it is made of is known.'}
          </>
        )}
      </p>
    </div>
  );
}
