import type { ImportCounts, ImportState } from './import-state.js';
import { clock, grouped } from '../../operations/progress.js';

/** The counts of an import, a line each. */
export function summaryText(summary: ImportCounts & { rejectedFile?: string; heldFile?: string }): string {
  const rate = Math.round(summary.read / Math.max(0.001, summary.seconds));
  const rows: [string, string][] = [
    ['read', grouped(summary.read)],
    ['accepted', grouped(summary.accepted)],
    ['superseded', grouped(summary.superseded)],
    ['rejected', grouped(summary.rejected) + (summary.rejectedFile ? `  see ${summary.rejectedFile}` : '')],
    ...(summary.heldFile === undefined ? [] : [heldRow(summary.held, summary.heldFile)]),
    ['retried batches', grouped(summary.retriedBatches)],
    ['duration', `${clock(summary.seconds)}  ${grouped(rate)} orders/s`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(16)}${value}\n`).join('');
}

function heldRow(held: number, file: string): [string, string] {
  return ['held back', held === 0 ? '0' : `${grouped(held)}  see ${file}`];
}

/** Why an import stopped, and how it goes on. */
export function stopText(reason: string, state: ImportState, file: string): string {
  const { line } = state.position;
  const next = state.resumable
    ? 'Run the same command again to go on from there.'
    : `Lines 1 to ${line} are done; send the rest, or all of it again: that changes no figure.`;
  return `Stopped after line ${line} of ${file === '-' ? 'standard input' : file}: ${reason}\n${next}\n`;
}

/** What most rejected lines were rejected for; nothing where none was. */
export function reasonsText(top: readonly string[]): string {
  return top.length === 0 ? '' : `\nMost frequent reasons (lines, code, message):\n${top.join('\n')}\n`;
}

/** Why an import of something else than orders stopped, and what was expected. */
export function noOrdersText(reason: string, file: string): string {
  const name = file === '-' ? 'standard input' : file;
  return [
    `Stopped: ${reason}.`,
    `${name} must hold one JSON order a line, as the API documentation describes it (/docs of the service).`,
    `A file that is one JSON array becomes that with: jq -c '.[]' ${file === '-' ? 'FILE' : file} > orders.ndjson`,
    '--keep-going sends the rest all the same.',
    '',
  ].join('\n');
}
