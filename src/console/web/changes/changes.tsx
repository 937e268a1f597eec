import { Fragment } from 'preact';
import { linkHere } from '../app/address.js';
import type { View } from '../app/view.js';
import type { CausesResponse } from '../../../schemas/restatement-causes.js';
import { shopApi } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { Answer, Loading } from '../shared/frame.js';
import { Icon } from '../shared/icon.js';
import { Pager } from '../shared/pager.js';
import { useSince } from '../shared/since.js';
import { isOld, useRead } from '../shared/use-read.js';
import { zoneName } from '../shared/zone.js';
import { Cause } from './cause.js';
import { SinceVisit } from './since-visit.js';

const PAGE = 25;

/** Why figures of past days are others now, by cause, newest first. */
export function Changes({ view }: { view: View }) {
  const { shop, from, to, address } = view;
  const cursor = address.query.get('cursor');
  const isEvery = address.query.get('figure') === 'all';
  const { visit } = useSince();
  const query = new URLSearchParams({ from, to, group: 'cause', figure: 'earnings', limit: String(PAGE) });
  if (cursor !== null) query.set('cursor', cursor);
  const answer = useRead<CausesResponse>(shopApi(shop, `/v1/restatements?${query.toString()}`));
  // The list would move when the part above it came later.
  if (visit === undefined) return <Loading what="changes" rows={8} />;
  return (
    <div class={isOld(answer) ? 'stack stale' : 'stack'} aria-busy={answer.loading}>
      {visit !== null && <SinceVisit view={view} visit={visit} />}
      <section class="panel flush" aria-labelledby="changes">
        <div class="panel-head">
          <h2 id="changes">Every change of a past day</h2>
          <nav class="segments" aria-label="Figures">
            <a href={linkHere(address, { figure: null })} aria-current={isEvery ? undefined : 'true'}>
              Earnings
            </a>
            <a href={linkHere(address, { figure: 'all' })} aria-current={isEvery ? 'true' : undefined}>
              All figures
            </a>
          </nav>
        </div>
        <Answer of={answer} what="changes" rows={8}>
          {({ causes, next }) => {
            const at = visit === null ? -1 : causes.findIndex((cause) => cause.at <= visit);
            // Where all of a page is newer, the visit lies on a later one.
            const isHere = at > 0 || (at === 0 && cursor === null);
            return (
              <>
                {causes.length === 0 && cursor === null && next === undefined && (
                  <p class="empty">No figure of these days has changed since each day was over.</p>
                )}
                <ol class="steps causes">
                  {causes.map((cause, i) => (
                    <Fragment key={`${cause.at} ${cause.kind}`}>
                      {isHere && i === at && visit !== null && (
                        <li class="soft">
                          <span class="tick now">
                            <Icon name="person" />
                          </span>
                          <div>You were here on {formatMoment(visit)}</div>
                        </li>
                      )}
                      <Cause cause={cause} view={view} isEvery={isEvery} isOpen={i === 0} />
                    </Fragment>
                  ))}
                </ol>
                {(next !== undefined || cursor !== null) && (
                  <Pager address={address} next={next} size={PAGE}>
                    Newest first
                  </Pager>
                )}
                <p class="panel-foot">
                  A day is past once it has ended in {zoneName(view.timezone)}. Changes are kept as long as the past of
                  figures is, usually 400 days.
                </p>
              </>
            );
          }}
        </Answer>
      </section>
    </div>
  );
}
