import type { View } from '../app/view.js';
import type { CausesResponse } from '../../../schemas/restatement-causes.js';
import { shopApi } from '../shared/api.js';
import { Answer } from '../shared/frame.js';
import { Pager } from '../shared/pager.js';
import { useRead } from '../shared/use-read.js';
import { Cause } from './cause.js';

const PAGE = 25;

/** Why figures of past days are others now, by cause, newest first. */
export function Changes({ view }: { view: View }) {
  const { shop, from, to, address } = view;
  const cursor = address.query.get('cursor');
  const query = new URLSearchParams({ from, to, group: 'cause', limit: String(PAGE), ...(cursor && { cursor }) });
  const answer = useRead<CausesResponse>(shopApi(shop, `/v1/restatements?${query.toString()}`));
  return (
    <section class="panel flush" aria-labelledby="changes">
      <div class="panel-head">
        <h2 id="changes">Every change of a day that was over</h2>
      </div>
      <Answer of={answer} what="changes" rows={8}>
        {({ causes, next }) => (
          <>
            {causes.length === 0 && cursor === null && next === undefined && (
              <p class="empty">No figure of these days has changed since each day was over.</p>
            )}
            <ol class="list causes">
              {causes.map((cause) => (
                <Cause key={`${cause.at} ${cause.kind}`} cause={cause} view={view} />
              ))}
            </ol>
            {(next !== undefined || cursor !== null) && (
              <Pager address={address} next={next} size={PAGE}>
                Newest first
              </Pager>
            )}
          </>
        )}
      </Answer>
    </section>
  );
}
