export interface Fault {
  code: string;
  message: string;
  field?: string;
}

/** An answer that is no success, or none at all (status 0). */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly status: number,
    readonly faults: readonly Fault[],
  ) {
    super(faults.map((fault) => fault.message).join(' '));
  }
}

/** Whatever was thrown, as a failure that the page can show. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, [{ code: 'page', message: String(error) }]);

/** The JSON of an answer; null where there is none. Throws a {@link Failure}, and what `init` aborts it with. */
export async function request(path: string, init: RequestInit): Promise<unknown> {
  /** An answer may end early in its head as well as in its body: the page is left, or no caller waits for it. */
  const broken = (error: unknown): never => {
    if (init.signal?.aborted === true) throw error;
    throw new Failure(0, [{ code: 'offline', message: 'The service can’t be reached. Is it running?' }]);
  };
  const response = await fetch(path, { credentials: 'same-origin', ...init }).catch(broken);
  if (response.status === 204) return null;
  if (response.ok) return (await response.json().catch(broken)) as unknown;
  const body = (await response.json().catch(() => null)) as { errors?: Fault[] } | null;
  throw new Failure(
    response.status,
    body?.errors ?? [{ code: 'unknown', message: `The service answered ${response.status}.` }],
  );
}
