import { Badge } from '../shared/badge.js';
import { Copy } from '../shared/copy.js';
import { formatMoment } from '../shared/days.js';
import { Copyable } from '../shared/dialog.js';
import { formatCount } from '../shared/money.js';
import type { LogEntry } from './log-entries.js';
import { titleOf } from './log-words.js';

/** All that is known of a push that was taken, or of an item that was refused and why. */
export function LogDetail({ entry }: { entry: LogEntry }) {
  const { key_last4, request_id } = 'taken' in entry ? entry.taken : entry.refused;
  return (
    <>
      <div class="row">
        <h2>{titleOf(entry)}</h2>
        {'taken' in entry ? <Badge tone="good">Taken</Badge> : <Badge tone="bad">Refused</Badge>}
      </div>
      {'refused' in entry &&
        entry.refused.errors.map(({ code, message, field, ...values }, i) => (
          <div key={i} class="alert-bar">
            <p>
              <code>{code}</code> {message}
              <span class="sub">
                {field !== undefined && `Field ${field}. `}
                {Object.entries(values).map(([name, value]) => `${name} ${String(value)}. `)}
                <a href="/docs/errors">What it means</a>
              </span>
            </p>
          </div>
        ))}
      <dl class="pairs">
        <dt>When</dt>
        <dd>{formatMoment(entry.at)}</dd>
        {'taken' in entry && (
          <>
            <dt>Accepted</dt>
            <dd>{formatCount(entry.taken.accepted)}</dd>
            <dt>Refused</dt>
            <dd>{formatCount(entry.taken.rejected)}</dd>
            <dt>Older than what is known</dt>
            <dd>{formatCount(entry.taken.superseded)}</dd>
            <dt>Took</dt>
            <dd>{formatCount(entry.taken.ms)} ms</dd>
            <dt>Receipt</dt>
            <dd>
              <code>{entry.taken.receipt}</code> <Copy value={entry.taken.receipt} />
            </dd>
          </>
        )}
        <dt>Key</dt>
        <dd>{key_last4 === '' ? 'the app' : `ending ${key_last4}`}</dd>
        <dt>Request</dt>
        <dd>
          <code>{request_id}</code> <Copy value={request_id} />
        </dd>
      </dl>
      {'refused' in entry && entry.refused.payload !== undefined && (
        <Copyable text={JSON.stringify(entry.refused.payload, null, 2)} label="What was sent" long />
      )}
    </>
  );
}
