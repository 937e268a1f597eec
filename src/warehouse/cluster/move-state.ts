import type { Warehouse } from '../client.js';
import { ClusterError } from '../migrations/cluster.js';

/** Under this name `schema_migrations` of a server says how far the move of its rows to other shards has come. */
export const MOVE = 'move';

/**
 * - `repair`: a server is filled from another one of its shard; tables are read-only.
 * - `copy`: rows are copied; tables are read-only and still have all rows, so copying may begin again.
 * - `switch`: all copies are complete and replace the tables, which are closed.
 * - `open`: all copies are in place. Tables may be written, so nothing is replaced any more.
 */
const STEPS = ['repair', 'copy', 'switch', 'open'] as const;
export type MoveStep = (typeof STEPS)[number];

export interface Move {
  step: MoveStep;
  /** The cluster that the rows move to; of a repair, the server that is filled. */
  cluster: string;
}

/** Other commands must wait until the move has ended; the message says how to end it. */
export class MovingError extends ClusterError {
  constructor({ step, cluster }: Move, server: string) {
    super(
      step === 'repair'
        ? `${cluster} is being filled from another server of its shard, or that was cut off: end it with profit cluster repair ${cluster}, ` +
            'run as before. It cannot be given up, since the server has no rows of its own then; one that is gone for good is first ' +
            'replaced by an empty server at its address'
        : `${server} is moving its rows to the shards "${cluster}", or the move was cut off: end it with profit cluster rebalance, run as before`,
    );
  }
}

const textOf = (move: Move | null): string => (move === null ? '' : `${move.step} ${move.cluster}`);

/** Null: no move is under way. */
export function parseMove(text: string): Move | null {
  const [first, cluster = ''] = text.split(' ');
  const step = STEPS.find((one) => one === first);
  return step === undefined ? null : { step, cluster };
}

/** The step that holds for all servers: each step is noted on all of them before it begins, so it is the last that any one knows. */
export function furthest(moves: readonly (Move | null)[]): Move | null {
  return moves.reduce((most, move) => (rankOf(move) > rankOf(most) ? move : most), null);
}

const rankOf = (move: Move | null): number => (move === null ? -1 : STEPS.indexOf(move.step));

/** The move that the server has noted in the database with its rows. */
export async function readMove(warehouse: Warehouse, rows: string): Promise<Move | null> {
  const [row] = await warehouse.query<{ checksum: string }>(
    `SELECT checksum FROM ${rows}.schema_migrations FINAL WHERE name = '${MOVE}'`,
  );
  return parseMove(row?.checksum ?? '');
}

/** Throws a {@link ClusterError} if the server does not keep the note, for example because its clock was set back. */
export async function noteMove(warehouse: Warehouse, rows: string, move: Move | null): Promise<void> {
  await warehouse.insert(`${rows}.schema_migrations`, [{ name: MOVE, checksum: textOf(move) }]);
  if (textOf(await readMove(warehouse, rows)) !== textOf(move)) {
    throw new ClusterError('a server does not keep how far the move has come: look at its clock, then run this again');
  }
}
