import { sentenceOf } from '../../../domain/alert-words.js';
import type { ShownAlert } from '../../../schemas/alerts.js';
import { Badge } from '../shared/badge.js';
import { formatDay, formatMoment } from '../shared/days.js';
import { formatExactMoney } from '../shared/money.js';
import { Table, words } from '../shared/table.js';

/** The newest alerts, with their end and what became of their messages. */
export function AlertList({ alerts, currency }: { alerts: readonly ShownAlert[]; currency: string }) {
  return (
    <section class="panel flush" aria-labelledby="raised">
      <div class="panel-head">
        <h2 id="raised">Raised</h2>
      </div>
      {alerts.length === 0 ? (
        <p class="empty">No alert was raised.</p>
      ) : (
        <Table label="Raised alerts" folds columns={words('What', 'Since', 'Ended', 'Webhook')}>
          {alerts.map((alert) => (
            <tr key={alert.alert_id}>
              <th scope="row" class="wide">
                {sentenceOf(alert, { day: formatDay, money: (amount) => formatExactMoney(amount, currency) })}
              </th>
              <td>{formatMoment(alert.since)}</td>
              <td>{alert.ended_at === null ? <Badge tone="warn">still so</Badge> : formatMoment(alert.ended_at)}</td>
              <td class="wide">
                <Sent alert={alert} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function Sent({ alert }: { alert: ShownAlert }) {
  const { delivery, attempts, next_at, problem } = alert;
  switch (delivery) {
    case 'sent':
      return <Badge tone="good">sent</Badge>;
    case 'waiting':
      return (
        <>
          <Badge tone="warn">waits</Badge>
          {problem !== null && (
            <span class="sub">
              {problem} Next attempt {formatMoment(next_at)}.
            </span>
          )}
        </>
      );
    case 'failed':
      return (
        <>
          <Badge tone="bad">given up</Badge>
          <span class="sub">
            {problem} {attempts} attempts.
          </span>
        </>
      );
    default:
      return <>none</>;
  }
}
