import { openLogFile } from '../../telemetry/log-files.js';

/** Where lines for the person at the terminal go. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}

/** Takes the output of one process, whole lines at a time. */
export interface ServiceLog {
  write(lines: string, from: 'stdout' | 'stderr'): void;
  close(): void;
}

const levels: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };
/** A pino line of level 40 and above; the level is what pino writes first. */
const grave = /^\{"level":[456]0\b/m;

interface PinoLine {
  level?: number;
  msg?: string;
  err?: { message?: string };
}

/** One line for the terminal; undefined when the line is of no concern there. */
function brief(name: string, line: string, from: 'stdout' | 'stderr'): string | undefined {
  if (!line.startsWith('{"level":')) return from === 'stderr' && line.trim() !== '' ? `[${name}] ${line}` : undefined;
  if (!grave.test(line)) return undefined;
  try {
    const { level = 0, msg, err } = JSON.parse(line) as PinoLine;
    const text = [msg, err?.message].filter((part, index, all) => part && all.indexOf(part) === index).join(': ');
    return `[${name}] ${levels[level] ?? 'error'}: ${text}`;
  } catch {
    return `[${name}] ${line}`;
  }
}

/**
 * The log of one process: to a file `NAME.log` of `folder`, with warnings and errors on the terminal; or, without a
 * folder, everything to the terminal's standard output as it is.
 */
export function createServiceLog(name: string, folder: string | undefined, terminal: Terminal): ServiceLog {
  if (folder === undefined) {
    return { write: (lines) => terminal.out(lines.trimEnd()), close: () => undefined };
  }
  const file = openLogFile(folder, name);
  return {
    write(lines, from) {
      file.write(lines);
      if (from === 'stdout' && !grave.test(lines)) return;
      for (const line of lines.split('\n')) {
        const said = brief(name, line, from);
        if (said !== undefined) terminal.err(said);
      }
    },
    close: () => file.close(),
  };
}
