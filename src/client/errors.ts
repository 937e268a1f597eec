/** One fault, as the service tells it. */
export interface Fault {
  code: string;
  message: string;
  field?: string;
}

/** The service answered, but not with what was asked for. */
export class ProfitApiError extends Error {
  override readonly name: string = 'ProfitApiError';
  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** All faults of the request; empty when something else than the service answered. */
    readonly errors: readonly Fault[],
    /** By which the operator finds the request in the logs. */
    readonly requestId: string | undefined,
  ) {
    super(message);
  }
  /** The stable code of the first fault, such as `source_not_registered`. */
  get code(): string | undefined {
    return this.errors[0]?.code;
  }
}

/** The service was busy, or nothing answered, for as long as the client may try. What was sent may or may not be taken. */
export class ProfitUnavailableError extends Error {
  override readonly name: string = 'ProfitUnavailableError';
}

/** What was pushed is taken, and some figures do not contain it yet, for as long as was waited. */
export class ProfitNotFreshError extends Error {
  override readonly name: string = 'ProfitNotFreshError';
  constructor(
    readonly receipt: string,
    /** Days that are still to be computed; null while the push or an earlier one is queued. */
    readonly daysLeft: number | null,
  ) {
    super(`The figures do not contain the push ${receipt} yet; wait longer.`);
  }
}

/** An answer without what was asked for; mostly something else than the service gives it. */
export const wrongAnswer = (what: string): ProfitApiError =>
  new ProfitApiError(`The answer is not one of ${what}; is the url right?`, 200, [], undefined);

/** The faults in a body of the service; none of any other body. */
export function faultsIn(body: unknown): Fault[] {
  const errors = fieldOf(body, 'errors');
  return Array.isArray(errors) ? errors.filter(isFault) : [];
}

function isFault(value: unknown): value is Fault {
  const [code, message, field] = ['code', 'message', 'field'].map((name) => typeof fieldOf(value, name));
  return code === 'string' && message === 'string' && (field === 'string' || field === 'undefined');
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
