import type { Writable } from 'node:stream';
import type { StoredTable } from '../../warehouse/backup/tables.js';
import { createProgress } from '../progress.js';
import { inTurns } from './in-turns.js';

/** Rows of a table that are read together, in the format `Native`; their size is bounded. */
export interface SourceChunk {
  rows: number;
  read(): Promise<Buffer>;
  /** Called when the chunk, and all before it, are written. */
  onDone?(): Promise<void>;
}

/** What one shard of the source has of a table. */
export interface SourceTable {
  table: StoredTable;
  /** From 1. */
  shard: number;
  chunks: readonly SourceChunk[];
}

/** Writes a chunk: into a folder, or into the tables of a deployment. Those of a source come one by one, in their order. */
export type PutChunk<Source extends SourceTable> = (
  source: Source,
  chunk: Source['chunks'][number],
  rows: Buffer,
) => Promise<void>;

export interface CopyOptions {
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** Tables that are copied at the same time: each has a chunk in memory. */
const AT_ONCE = 3;

/**
 * Copies tables chunk by chunk, as the bytes of the format `Native`. The engine's own ways were not chosen: `BACKUP` and `RESTORE` need a
 * disk that both servers know and keep the number of shards; `INSERT … SELECT FROM remote(…)` needs the servers of both deployments to
 * reach each other with a password in the statement, and begins again when it is cut off. Chunks go through this process, can be
 * repeated one by one, and are the same for files and servers.
 */
export async function copyTables<Source extends SourceTable>(
  sources: readonly Source[],
  put: PutChunk<Source>,
  { stderr, signal }: CopyOptions,
): Promise<void> {
  const total = sources.reduce((sum, { chunks }) => sum + chunks.reduce((rows, chunk) => rows + chunk.rows, 0), 0);
  const progress = createProgress({ stream: stderr, label: 'rows', total });
  let done = 0;
  try {
    await inTurns(sources, AT_ONCE, async (source) => {
      for (const chunk of source.chunks) {
        signal.throwIfAborted();
        await put(source, chunk, await chunk.read());
        await chunk.onDone?.();
        progress.update((done += chunk.rows));
      }
    });
  } finally {
    progress.stop();
  }
}
