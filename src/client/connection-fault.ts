/** What the system's codes mean to a person. */
const OF_CONNECTIONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host is out of reach',
  ENETUNREACH: 'the network is out of reach',
  ETIMEDOUT: 'it took too long',
  UND_ERR_CONNECT_TIMEOUT: 'it took too long',
};

/** Why a connection failed, in words; undefined where it didn't. */
export function connectionFault(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const words = 'code' in at && typeof at.code === 'string' ? OF_CONNECTIONS[at.code] : undefined;
    if (words !== undefined) return words;
    if (at instanceof AggregateError) return at.errors.map(connectionFault).find((fault) => fault !== undefined);
  }
  return undefined;
}
