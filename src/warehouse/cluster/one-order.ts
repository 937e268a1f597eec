import { ClusterError } from '../migrations/cluster.js';

/** A server as another one lists it in `remote_servers`. */
export interface Place {
  cluster: string;
  shard: number;
  replica: number;
  /** It is the one that lists it, whose name for itself may be its own. */
  isLocal: boolean;
  host: string;
  /** Null where the name leads nowhere. */
  address: string | null;
  port: number;
}

export interface Lists {
  /** In messages. */
  name: string;
  places: readonly Place[];
}

const keyOf = ({ cluster, shard, replica }: Place): string => `${cluster} ${shard} ${replica}`;

const isSame = (a: Place, b: Place): boolean =>
  a.port === b.port && (a.host === b.host || (a.address !== null && a.address === b.address));

/**
 * Throws a {@link ClusterError} where two servers list others in another order: each would look for rows, and put them, on a shard
 * of its own. Every server is known to have a place of its own.
 */
export function requireOneOrder(lists: readonly Lists[]): void {
  const known = new Map<string, Place & { by: string }>();
  for (const { name, places } of lists) {
    for (const place of places.filter(({ isLocal }) => !isLocal)) {
      const seen = known.get(keyOf(place));
      if (seen === undefined) known.set(keyOf(place), { ...place, by: name });
      else if (!isSame(seen, place))
        throw new ClusterError(
          `the servers differ about "${place.cluster}": in shard ${place.shard}, place ${place.replica}, ${seen.by} has ` +
            `${seen.host}:${seen.port} and ${name} has ${place.host}:${place.port}; list all in the same order in remote_servers of each`,
        );
    }
  }
}
