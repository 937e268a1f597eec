import { useState } from 'preact/hooks';
import type { AlertsAnswer, WebhookAnswer, WebhookTest } from '../../../schemas/alerts.js';
import { change } from '../shared/api.js';
import { Badge } from '../shared/badge.js';
import { Copyable, Dialog } from '../shared/dialog.js';
import { Panel, FailureNotice, useAction } from '../shared/frame.js';

interface Props extends Pick<AlertsAnswer, 'webhook'> {
  path: string;
  onSaved: () => void;
}

const EXAMPLE = `{
  "type": "alert.raised",
  "timestamp": "2026-03-02T06:00:00.000Z",
  "data": {
    "alert_id": "0f0e…", "shop_id": "…", "kind": "day_lost", "day": "2026-03-01",
    "measured": "-50.00", "threshold": "0", "currency": "EUR"
  }
}`;

/** Where alerts are sent. The signing secret is shown in the one moment in which it is made. */
export function AlertWebhook({ path, webhook, onSaved }: Props) {
  /** Null while what is stored is shown. */
  const [typed, setTyped] = useState<string | null>(null);
  const url = typed ?? webhook?.url ?? '';
  const [secret, setSecret] = useState<string | null>(null);
  const [tested, setTested] = useState<WebhookTest | null>(null);
  const { busy, failure, run } = useAction();
  const save = (newSecret: boolean) =>
    run(async () => {
      const body = { url: url.trim(), ...(newSecret && { new_secret: true }) };
      const made = (await change<WebhookAnswer>(`${path}/webhook`, body, 'PUT')).secret;
      setTyped(null);
      setSecret(made);
      onSaved();
    });
  const test = () => run(async () => setTested(await change<WebhookTest>(`${path}/webhook/test`)));
  const remove = async () => {
    if (!(await run(() => change(`${path}/webhook`, {}, 'DELETE')))) return;
    setTyped(null);
    onSaved();
  };
  return (
    <Panel
      title="Webhook"
      note="Signed as Standard Webhooks describes, tried again for about a day. The signing secret is shown once."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        <label class="field">
          <span>URL</span>
          <input
            type="url"
            required
            maxLength={1000}
            placeholder="https://…"
            value={url}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {webhook?.needs_secret === true && (
          <p class="notice">The signing secret cannot be read any more, so nothing is sent: make a new one.</p>
        )}
        {failure !== null && <FailureNotice failure={failure} />}
        <div class="row">
          <button type="submit" class="primary" disabled={busy}>
            Save
          </button>
          {webhook !== null && (
            <>
              <button type="button" disabled={busy} onClick={() => void test()}>
                Send a test
              </button>
              <button type="button" disabled={busy} onClick={() => void save(true)}>
                New secret
              </button>
              <button type="button" class="danger-quiet" disabled={busy} onClick={() => void remove()}>
                Remove
              </button>
            </>
          )}
          <span role="status">{tested !== null && <Tested test={tested} />}</span>
        </div>
      </form>
      <details>
        <summary>What is sent</summary>
        <pre class="code" tabIndex={0}>
          <code>{EXAMPLE}</code>
        </pre>
        <p class="note">
          Headers: <code>webhook-id</code>, the same in each attempt, <code>webhook-timestamp</code> and{' '}
          <code>webhook-signature</code>. Any answer of 200 to 299 within 10 s is taken; a redirect is not followed.
          Slack gets its own form: <a href="/docs/alerts">all messages</a>.
        </p>
      </details>
      {secret !== null && (
        <Dialog title="Signing secret" onClose={() => setSecret(null)}>
          <p class="notice">Copy it now: it is not shown again.</p>
          <Copyable text={secret} label="Signing secret" />
          <div class="row">
            <button type="button" class="primary" onClick={() => setSecret(null)}>
              I have kept it
            </button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

function Tested({ test: { status, problem, ms } }: { test: WebhookTest }) {
  if (problem !== null) return <Badge tone="bad">{problem}</Badge>;
  const isTaken = status !== null && status >= 200 && status < 300;
  return <Badge tone={isTaken ? 'good' : 'bad'}>{`Test answered ${status ?? ''} in ${ms} ms`}</Badge>;
}
