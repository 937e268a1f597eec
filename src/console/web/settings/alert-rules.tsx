import { useState } from 'preact/hooks';
import type { AlertsAnswer } from '../../../schemas/alerts.js';
import { change } from '../shared/api.js';
import { formatMoment } from '../shared/days.js';
import { FailureNotice, useAction } from '../shared/frame.js';
import { Table, words } from '../shared/table.js';
import { ALERT_NAMES, thresholdWords } from './alert-words.js';

type Rule = AlertsAnswer['rules'][number];
interface Props extends Pick<AlertsAnswer, 'rules' | 'alerts'> {
  path: string;
  currency: string;
  onSaved: () => void;
}

/** Each rule is saved by itself, so that what another tab changed of the others stays. */
export function AlertRules({ path, rules, alerts, currency, onSaved }: Props) {
  const { busy, failure, run } = useAction();
  /** What is being saved, until it is read again. */
  const [draft, setDraft] = useState<{ rule: Rule; of: typeof rules } | null>(null);
  const save = async (rule: Rule): Promise<void> => {
    setDraft({ rule, of: rules });
    if (await run(() => change(path, { rules: [rule] }, 'PUT'))) onSaved();
    else setDraft(null);
  };
  return (
    <section class="panel flush" aria-labelledby="alerts">
      <div class="panel-head">
        <h2 id="alerts">Alerts</h2>
      </div>
      <Table label="Alerts" folds columns={words('Tell me when', 'Threshold', 'Last time', 'On')}>
        {rules.map((stored) => {
          const rule = draft?.of === rules && draft.rule.kind === stored.kind ? draft.rule : stored;
          const last = alerts.find(({ kind }) => kind === rule.kind);
          return (
            <tr key={rule.kind}>
              <th scope="row">{ALERT_NAMES[rule.kind]}</th>
              <td>
                <Threshold
                  rule={rule}
                  currency={currency}
                  onChange={(threshold) => void save({ ...rule, threshold })}
                />
              </td>
              <td>{last === undefined ? 'never' : formatMoment(last.since)}</td>
              <td>
                <input
                  type="checkbox"
                  aria-label={ALERT_NAMES[rule.kind]}
                  checked={rule.is_on}
                  disabled={busy}
                  onChange={(event) => void save({ ...rule, is_on: event.currentTarget.checked })}
                />
              </td>
            </tr>
          );
        })}
      </Table>
      {failure !== null && <FailureNotice failure={failure} />}
      <p class="panel-foot">
        Alerts are shown in the app, and sent to a webhook if there is one. Each is sent once; it ends by itself.
      </p>
    </section>
  );
}

function Threshold(props: { rule: Rule; currency: string; onChange: (threshold: string) => void }) {
  const { kind, threshold } = props.rule;
  const [before, after] = thresholdWords(kind, props.currency);
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label class="threshold">
      <span>{before}</span>
      <input
        class="cost slim"
        inputMode="decimal"
        autocomplete="off"
        aria-label={`${ALERT_NAMES[kind]}: ${before} … ${after}`}
        value={draft ?? threshold}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onChange={(event) => {
          const typed = event.currentTarget.value.trim();
          setDraft(null);
          if (typed !== threshold) props.onChange(typed);
        }}
      />
      <span>{after}</span>
    </label>
  );
}
