import type { Writable } from 'node:stream';
import type { CopiedParts } from '../../warehouse/backup/copied-parts.js';
import type { Staging } from '../../warehouse/backup/staging.js';
import type { StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServers } from '../../warehouse/cluster/row-servers.js';

export interface MoveOptions {
  from: RowServers;
  /** With the newest schema. */
  to: RowServers;
  /** Ids of both warehouses. */
  ids: { from: string; to: string };
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
  /** Called before each step. */
  onStep?: (step: MoveStep) => void;
  /** Called when the rows are at their new place: processes that are started with it may write. */
  onReady?: () => void;
  /** Longest time for which writes wait. */
  heldMs?: number;
}

export type MoveStep = 'round' | 'hold' | 'copy' | 'compare' | 'place' | 'switch' | 'clear';

/** A move that has begun. */
export interface Move extends MoveOptions {
  tables: readonly StoredTable[];
  staging: Staging;
  copied: CopiedParts;
}

/** Rows can't be moved; the message says why, and what to do. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}

/** The database of the staging. */
export const stagingOf = ({ rows }: RowServers): string => `${rows}_move`;
