import type { PushKind } from '../../../domain/ingest.js';
import type { Shop } from '../../../schemas/app.js';
import type { PushesResponse } from '../../../schemas/pushes.js';
import type { RejectionsResponse } from '../../../schemas/rejections.js';
import type { Address } from '../app/address.js';
import { shopApi } from '../shared/api.js';
import { Chip } from '../shared/chip.js';
import { Loading, FailureNotice } from '../shared/frame.js';
import { kindLabel } from '../shared/kinds.js';
import { Pager } from '../shared/pager.js';
import { useRead } from '../shared/use-read.js';
import { logEntries } from './log-entries.js';
import { LogDetail } from './log-detail.js';
import { LogRow } from './log-row.js';

const SIZE = 50;
const KINDS: readonly PushKind[] = [
  'orders',
  'spend',
  'product_costs',
  'order_costs',
  'expenses',
  'gateway_fees',
  'rates',
];
/** Refused items of these are in the answer of the push alone. */
const UNKEPT: readonly string[] = ['order_costs', 'gateway_fees', 'rates'] satisfies PushKind[];

/** What became of the pushes of a shop: those that were taken, and each item that was refused. */
export function Log({ shop, address }: { shop: Shop; address: Address }) {
  const of = (name: string): string | null => address.query.get(name);
  const [outcome, receipt, code] = [of('outcome'), of('receipt'), of('code')];
  const asked = (params: Record<string, string | null>): string => {
    const given = Object.entries({ kind: of('kind'), limit: String(SIZE), ...params });
    return new URLSearchParams(given.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))).toString();
  };
  const isAll = outcome === null && receipt === null && code === null;
  const cursor = isAll ? null : of('cursor');
  const wantsTaken = isAll || receipt !== null || outcome === 'taken';
  const isKept = !UNKEPT.includes(of('kind') ?? '');
  const wantsRefused = isKept && (isAll || (receipt === null && outcome !== 'taken'));
  const taken = useRead<PushesResponse>(
    wantsTaken ? shopApi(shop.shop_id, `/v1/ingest/pushes?${asked({ receipt, cursor })}`) : null,
  );
  const refused = useRead<RejectionsResponse>(
    wantsRefused ? shopApi(shop.shop_id, `/v1/ingest/rejections?${asked({ code, cursor })}`) : null,
  );
  const read = [...(wantsTaken ? [taken] : []), ...(wantsRefused ? [refused] : [])];
  const isWaiting = read.some(({ data, failure }) => data === null && failure === null);
  // Both at once, so that no row moves when the other list is there.
  const entries = isWaiting ? [] : logEntries(wantsTaken ? taken.data : null, wantsRefused ? refused.data : null);
  const chosen = entries.find(({ id }) => id === of('id')) ?? (receipt === null ? undefined : entries[0]);
  const next = isAll ? undefined : (wantsTaken ? taken : refused).data?.next;
  return (
    <section class="panel flush log" aria-label="Request log">
      <div>
        <div class="filters">
          {receipt !== null && <Chip address={address} name="receipt" value={receipt} label={`Receipt ${receipt}`} />}
          {code !== null && <Chip address={address} name="code" value={code} label={code} />}
          <Chip address={address} name="outcome" value="taken" label="Taken" />
          <Chip address={address} name="outcome" value="refused" label="Refused" />
          {KINDS.map((kind) => (
            <Chip key={kind} address={address} name="kind" value={kind} label={kindLabel(kind)} />
          ))}
        </div>
        {read.map(
          ({ failure, reload }, i) => failure !== null && <FailureNotice key={i} failure={failure} retry={reload} />,
        )}
        {isWaiting && <Loading what="the log" rows={8} />}
        {!isWaiting && entries.length === 0 && <p class="empty">Nothing like that was pushed.</p>}
        {entries.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">Item</th>
                <th scope="col">Outcome</th>
                <th scope="col" class="number">
                  When
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <LogRow key={entry.id} entry={entry} address={address} isChosen={entry === chosen} />
              ))}
            </tbody>
          </table>
        )}
        <Pager address={address} next={next} size={SIZE}>
          Taken pushes: 30 days. Refused items: 7 days, without personal data.
          {isAll && entries.length >= SIZE && ' Choose one of both to see older ones.'}
        </Pager>
      </div>
      <div class="log-detail" aria-live="polite">
        {chosen === undefined ? (
          <p class="soft">Choose an entry to see what became of it.</p>
        ) : (
          <LogDetail entry={chosen} />
        )}
      </div>
    </section>
  );
}
