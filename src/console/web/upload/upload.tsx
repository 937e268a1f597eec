import { useMemo, useRef, useState } from 'preact/hooks';
import { Amount } from '../shared/amount.js';
import { FailureNotice, useAction } from '../shared/frame.js';
import { Icon } from '../shared/icon.js';
import { formatCount } from '../shared/money.js';
import type { Decisions } from '../../../domain/csv/amounts.js';
import type { UploadKind } from './kinds.js';
import { readUpload, type UploadLine } from './lines.js';
import { Mapping } from './mapping.js';
import { Progress } from './progress.js';
import { csvText, MAX_BYTES } from '../../../domain/csv/read-csv.js';
import { sendLines, type Sent } from './send.js';
import { UploadTable } from './upload-table.js';

interface Props {
  kind: UploadKind;
  shop: string;
  currency: string;
  /** Where its figures are. */
  back: { href: string; name: string };
}

const AGAIN = 'Some are saved already: saving again sends all, which changes nothing of those.';

interface File {
  name: string;
  /** Null: it is none. */
  text: string | null;
  decisions: Decisions;
}

/** A file is read here and shown line by line; nothing is saved before it is looked at. */
export function Upload({ kind, shop, currency, back }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [tooLarge, setTooLarge] = useState(false);
  const [tried, setTried] = useState<Sent | null>(null);
  const [saved, setSaved] = useState<Sent | null>(null);
  /** Lines that were sent, while others are not yet. */
  const [done, setDone] = useState(0);
  const { busy, failure, run } = useAction();
  const read = useMemo(() => file && readUpload(file.text, kind, file.decisions, currency), [file]);
  const lines = read === null || typeof read === 'string' ? [] : read.lines;

  /** What is looked at now: of the file before, or of other decisions, an answer may still come. */
  const latest = useRef<File | null>(null);

  const look = (next: File): void => {
    latest.current = next;
    setFile(next);
    setTried(null);
    setSaved(null);
    setDone(0);
    const found = readUpload(next.text, kind, next.decisions, currency);
    if (kind.canTry && typeof found !== 'string')
      void run(async () => {
        const sent = await sendLines(kind, shop, found.lines, true);
        if (latest.current === next) setTried(sent);
      });
  };
  const choose = async (chosen: Blob & { name: string }): Promise<void> => {
    setTooLarge(chosen.size > MAX_BYTES);
    if (chosen.size > MAX_BYTES) setFile(null);
    else look({ name: chosen.name, text: csvText(new Uint8Array(await chosen.arrayBuffer())), decisions: {} });
  };
  const usable = lines.filter(
    ({ line, fault, open }) => fault === null && open === null && tried?.refused.get(line) === undefined,
  );
  const save = () => run(async () => setSaved(await sendLines(kind, shop, usable, false, setDone)));
  const count = `${formatCount(usable.length)} ${kind.noun[usable.length === 1 ? 0 : 1]}`;
  return (
    <>
      <div class="head">
        <h1>
          <a class="crumb" href={back.href}>
            {back.name}
          </a>{' '}
          / {kind.title}
        </h1>
      </div>
      <div class="stack">
        <section class="panel" aria-labelledby="file">
          <h2 id="file">{file?.name ?? 'A CSV file'}</h2>
          <p class="note">
            {file === null
              ? `Its first line names the columns: ${kind.columns.map(({ name }) => name).join(', ')}.${kind.takesExports === true ? ' An export of Meta, Google, TikTok or Pinterest by day is read as it is.' : ''}`
              : `${formatCount(lines.length)} lines, ${count} to save. ${saved === null ? 'Nothing is saved yet.' : ''}`}
          </p>
          <label class="field">
            <span>{file === null ? 'Choose a file' : 'Choose another file'}</span>
            <input
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              onChange={(event) => {
                const [chosen] = event.currentTarget.files ?? [];
                if (chosen !== undefined) void choose(chosen);
              }}
            />
          </label>
          {tooLarge && <p role="alert">The file is larger than {MAX_BYTES / 1024 / 1024} MB. Split it.</p>}
          {typeof read === 'string' && <p role="alert">{read}</p>}
          {file !== null && saved === null && (
            <Ask
              lines={lines}
              onDecide={(mark, as) => look({ ...file, decisions: { ...file.decisions, [mark]: as } })}
            />
          )}
          {saved === null && tried?.effect != null && (
            <p class="notice" data-effect>
              Saving changes net profit by <Amount value={tried.effect} currency={currency} signed />
              {tried.days !== null && ` on ${formatCount(tried.days)} ${tried.days === 1 ? 'day' : 'days'}`}.
            </p>
          )}
          {busy && done > 0 && done < usable.length && (
            <progress class="progress" max={usable.length} value={done} aria-label={`Of ${count}, sent`} />
          )}
          {failure !== null && <FailureNotice failure={failure} note={done > 0 ? AGAIN : ''} />}
          {lines.length > 0 && saved === null && (
            <div class="row">
              <button
                type="button"
                class="primary"
                disabled={busy || usable.length === 0 || (kind.canTry && tried === null)}
                onClick={() => void save()}
              >
                Save {count}
              </button>
              <a class="button" href={back.href}>
                Cancel
              </a>
            </div>
          )}
        </section>
        {read !== null && typeof read !== 'string' && read.read !== null && (
          <Mapping read={read.read} currency={currency} />
        )}
        {saved !== null && <Saved kind={kind} sent={saved} />}
        {saved?.receipt != null && <Progress shop={shop} receipt={saved.receipt} />}
        {lines.length > 0 && <UploadTable kind={kind} lines={lines} tried={saved ?? tried} currency={currency} />}
      </div>
    </>
  );
}

/** Orders that are named. */
const NAMED = 10;

function Saved({ kind, sent: { accepted, refused, unknown } }: { kind: UploadKind; sent: Sent }) {
  return (
    <p class="notice" role="status">
      {formatCount(accepted)} {kind.noun[accepted === 1 ? 0 : 1]} saved
      {refused.size > 0 && `, ${formatCount(refused.size)} refused: the lines below say why`}.
      {unknown.length > 0 &&
        ` ${formatCount(unknown.length)} of the orders ${unknown.length === 1 ? 'is' : 'are'} not known: ${unknown.slice(0, NAMED).join(', ')}${unknown.length > NAMED ? ' …' : ''}. Such a cost is kept, and counts once the order comes.`}
    </p>
  );
}

/** An amount that can be read in two ways is asked, for all lines with the same mark at once. */
function Ask(props: { lines: readonly UploadLine[]; onDecide: (mark: ',' | '.', as: 'decimal' | 'group') => void }) {
  const asked = props.lines.filter(({ open }) => open !== null);
  const [first] = asked;
  if (first?.open == null) return null;
  const { mark, decimal, group, text } = first.open;
  return (
    <div class="alert-bar" role="status">
      <Icon name="warn" />
      <p>
        <strong>Line {first.line} can be read in two ways:</strong> is “{text}” {decimal} or {group}? Nothing is
        guessed: choose, or save without it.{asked.length > 1 && ` ${asked.length} lines have such an amount.`}
      </p>
      <button type="button" onClick={() => props.onDecide(mark, 'decimal')}>
        {decimal}
      </button>
      <button type="button" onClick={() => props.onDecide(mark, 'group')}>
        {group}
      </button>
    </div>
  );
}
