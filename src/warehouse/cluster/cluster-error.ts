/** A cluster that the service can't use; the message says what to change. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}
