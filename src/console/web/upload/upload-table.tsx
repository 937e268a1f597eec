import { Amount } from '../shared/amount.js';
import { numbers, Table, words } from '../shared/table.js';
import type { UploadKind } from './kinds.js';
import type { UploadLine } from './lines.js';
import type { Sent } from './send.js';

/** Lines that are shown: those with a problem first. */
const SHOWN = 200;

interface Props {
  kind: UploadKind;
  lines: readonly UploadLine[];
  tried: Sent | null;
  currency: string;
}

/** Each line as it was read, and what it changes or why it is left out. */
export function UploadTable({ kind, lines, tried, currency }: Props) {
  const problemOf = ({ line, fault, open }: UploadLine): string | null =>
    fault ?? (open === null ? (tried?.refused.get(line) ?? null) : `${open.decimal} or ${open.group}?`);
  const isBad = (line: UploadLine): boolean => problemOf(line) !== null;
  const shown = [...lines.filter(isBad), ...lines.filter((line) => !isBad(line))].slice(0, SHOWN);
  const columns = kind.columns.flatMap(({ label, form }) => (form === 'amount' ? numbers(label) : words(label)));
  return (
    <section class="panel flush" aria-labelledby="lines">
      <div class="panel-head">
        <h2 id="lines">What it changes</h2>
        <span class="note">columns {kind.columns.map(({ name }) => name).join(', ')}</span>
      </div>
      <Table
        label="Lines of the file"
        folds
        columns={[...words('Line'), ...columns, ...(kind.canTry ? numbers('Net profit changes by') : words('Problem'))]}
      >
        {shown.map((line) => {
          const problem = problemOf(line);
          const effect = problem === null ? tried?.effects.get(line.cells[0] ?? '') : undefined;
          return (
            <tr key={line.line}>
              <td data-name="Line">{line.line}</td>
              {kind.columns.map(({ name, form }, i) => (
                <td key={name} class={form === 'amount' ? 'number' : 'wide'}>
                  {String(line.item[name] ?? line.cells[i] ?? '')}
                </td>
              ))}
              <td class={kind.canTry ? 'number' : 'wide'}>
                {problem !== null ? (
                  <span class="sub wrong">{problem}</span>
                ) : effect === undefined ? (
                  '–'
                ) : (
                  <Amount value={effect} currency={currency} signed />
                )}
              </td>
            </tr>
          );
        })}
      </Table>
      {lines.length > SHOWN && (
        <p class="panel-foot">
          The first {SHOWN} of {lines.length} lines are shown, those with a problem before the others.
        </p>
      )}
    </section>
  );
}
