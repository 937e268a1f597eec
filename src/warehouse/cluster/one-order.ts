import { ClusterError } from '../migrations/cluster.js';

/** A server as a server lists it in `remote_servers`. */
export interface Place {
  cluster: string;
  shard: number;
  replica: number;
  /** The server lists itself, possibly under another name than others use. */
  isLocal: boolean;
  host: string;
  /** Null if the host name can't be resolved. */
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
 * Throws a {@link ClusterError} if two servers list the others in different orders: they would look for a row, and write it, on
 * different shards. That every server has its own place is checked before.
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
