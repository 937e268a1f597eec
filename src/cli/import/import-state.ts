import { hash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';

/** What an import has counted so far; `seconds` is the time of all its runs. */
export interface ImportCounts {
  read: number;
  accepted: number;
  superseded: number;
  rejected: number;
  /** Orders of a platform that could not be converted. */
  held: number;
  retriedBatches: number;
  seconds: number;
}

/**
 * How far an import got: everything up to `line` and `offset` (bytes, unpacked) has been answered for, and nothing after
 * it is counted. `rejectedBytes` and `heldBytes` are the lengths of the files of
 * rejected orders and of those that were held back, at that point.
 */
export interface ImportPosition {
  line: number;
  offset: number;
  rejectedBytes: number;
  heldBytes: number;
  counts: ImportCounts;
}

export const importStatePath = (file: string): string => `${file}.import-state.json`;

/** The state of an import, next to its file as `FILE.import-state.json`. */
export interface ImportState {
  /** How far the import is; the importer moves it on in place. */
  readonly position: ImportPosition;
  /** Size of the file, in bytes as it lies there; undefined for standard input. */
  readonly fileSize: number | undefined;
  /** Whether another run can go on from here. */
  readonly resumable: boolean;
  /** What to tell people about where this run begins; undefined when there is nothing to tell. */
  readonly note: string | undefined;
  /** Replaces the file in one step: a crash leaves the old state or the new one, never half of one. */
  save(): Promise<void>;
  /** Removes the file: the import is complete. */
  remove(): Promise<void>;
}

const HEAD_BYTES = 64 * 1024;
const FORMAT = 2;

/**
 * Finds where an import begins: at its first line, or where an earlier run of the same content (size, time of change, first
 * bytes), service and key stopped.
 *
 * @param options `resumable` false neither reads nor writes a state; `restart` writes one, but begins at the first line
 * @throws Error when the file cannot be read
 */
export async function openImportState(
  file: string,
  options: { url: string; key: string; resumable: boolean; restart: boolean },
): Promise<ImportState> {
  const { url, key, resumable, restart } = options;
  const path = importStatePath(file);
  const facts = file === '-' ? undefined : await factsOf(file);
  const identity = JSON.stringify({ ...facts, url, key_sha256: hash('sha256', key).slice(0, 16) });
  const earlier = resumable && !restart ? await readEarlier(path, identity) : undefined;
  const position = earlier?.position ?? {
    line: 0,
    offset: 0,
    rejectedBytes: 0,
    heldBytes: 0,
    counts: { read: 0, accepted: 0, superseded: 0, rejected: 0, held: 0, retriedBatches: 0, seconds: 0 },
  };

  async function write(): Promise<void> {
    const handle = await open(`${path}.tmp`, 'w');
    try {
      await handle.writeFile(`${JSON.stringify({ format: FORMAT, identity, position }, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${path}.tmp`, path);
  }

  const fault = resumable ? await write().then(() => undefined, String) : undefined;
  const writable = resumable && fault === undefined;
  return {
    position,
    fileSize: facts?.size,
    resumable: writable,
    note: fault === undefined ? earlier?.note : `This import cannot be resumed when it stops: ${fault}`,
    save: () => (writable ? write() : Promise.resolve()),
    remove: () => (writable ? rm(path, { force: true }) : Promise.resolve()),
  };
}

async function readEarlier(
  path: string,
  identity: string,
): Promise<{ position?: ImportPosition; note: string } | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const other = { note: `${path} is of another file content, service or key; beginning at the first line` };
  try {
    const state = JSON.parse(text) as { format: number; identity: string; position: ImportPosition };
    if (state.format !== FORMAT || state.identity !== identity) return other;
    return { position: state.position, note: `going on after line ${state.position.line} (--restart begins again)` };
  } catch {
    return other;
  }
}

async function factsOf(file: string): Promise<{ size: number; mtime_ms: number; head_sha256: string }> {
  const found = await stat(file);
  // Reading a folder fails without its name.
  if (found.isDirectory()) throw new Error(`${file}: this is a folder, not a file`);
  const { size, mtimeMs } = found;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { size, mtime_ms: mtimeMs, head_sha256: hash('sha256', buffer.subarray(0, bytesRead)) };
  } finally {
    await handle.close();
  }
}
