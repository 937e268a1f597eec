import type { Warehouse } from '../client.js';
import { ClusterError } from '../migrations/cluster.js';

/** Under this name `schema_migrations` of a server says how far the move of its rows to other shards has come. */
export const MOVE = 'move';

/**
 * - `repair`: a server is filled from another one of its shard; tables are read and not written.
 * - `copy`: tables are read and not written, and all rows are where they were; the copies are made anew if need be.
 * - `switch`: all copies are whole and take the place of the tables, which nobody reads.
 * - `open`: all are in place. They may be written, so nothing is put in place any more.
 */
const STEPS = ['repair', 'copy', 'switch', 'open'] as const;
export type MoveStep = (typeof STEPS)[number];

export interface Move {
  step: MoveStep;
  /** To the shards of this name; of a repair, the server that is filled. */
  cluster: string;
}

/** The shards can't be used by others until the move has ended; the message says how. */
export class MovingError extends ClusterError {
  constructor({ step, cluster }: Move, server: string) {
    super(
      step === 'repair'
        ? `${cluster} is being filled from another server of its shard, or that was cut off: end it with profit cluster repair ${cluster}`
        : `${server} is moving its rows to the shards "${cluster}", or the move was cut off: end it with profit cluster rebalance, run as before`,
    );
  }
}

const textOf = (move: Move | null): string => (move === null ? '' : `${move.step} ${move.cluster}`);

/** Null: none is under way. */
export function parseMove(text: string): Move | null {
  const [first, cluster = ''] = text.split(' ');
  const step = STEPS.find((one) => one === first);
  return step === undefined ? null : { step, cluster };
}

/** Each step is noted everywhere before it begins, so the last one that any server knows holds for all. */
export function furthest(moves: readonly (Move | null)[]): Move | null {
  return moves.reduce((most, move) => (rankOf(move) > rankOf(most) ? move : most), null);
}

const rankOf = (move: Move | null): number => (move === null ? -1 : STEPS.indexOf(move.step));

/** What the server knows; `rows` is the database with its rows. */
export async function readMove(warehouse: Warehouse, rows: string): Promise<Move | null> {
  const [row] = await warehouse.query<{ checksum: string }>(
    `SELECT checksum FROM ${rows}.schema_migrations FINAL WHERE name = '${MOVE}'`,
  );
  return parseMove(row?.checksum ?? '');
}

/** Throws a {@link ClusterError} when the server would not know it, as when its clock was put back. */
export async function noteMove(warehouse: Warehouse, rows: string, move: Move | null): Promise<void> {
  await warehouse.insert(`${rows}.schema_migrations`, [{ name: MOVE, checksum: textOf(move) }]);
  if (textOf(await readMove(warehouse, rows)) !== textOf(move)) {
    throw new ClusterError('a server does not keep how far the move has come: look at its clock, then run this again');
  }
}
