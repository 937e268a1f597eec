import type { Request } from 'express';
import { parsePastMoment } from '../../domain/as-of.js';
import { parseRange, type DayRange } from '../../domain/metrics/range.js';
import { parseReceipt, type Receipt } from '../../domain/receipts.js';
import { charactersIn, echo, MOST_CHARACTERS, RequestError, type ErrorDetail } from '../../errors.js';

/** The query parameters of one request. A faulty one is noted and read as absent. */
export interface Query {
  /** On with `1` or `true`, off with `0` or `false`. */
  flag(name: string): boolean | undefined;
  /** One value of a fixed set. */
  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined;
  /** One required value of a fixed set; an absent or faulty one is read as `standIn`. */
  required<Value extends string>(name: string, values: readonly Value[], standIn: Value): Value;
  /** Values of a fixed set, joined with commas, each once. */
  someOf<Value extends string>(name: string, values: readonly Value[]): ReadonlySet<Value>;
  integer(name: string, bounds: { min: number; max: number; fallback: number }): number;
  /** From 1 to `most` characters; absent: 255. */
  text(name: string, most?: number): string | undefined;
  /** What `parse` makes of a text. Null means a fault, which is reported with `rule`. */
  parsed<Value>(name: string, parse: (text: string) => Value | null, rule: string): Value | undefined;
  /** `after`: the receipt of a push. */
  receipt(): Receipt | undefined;
  /** `from` and `to` (specification: "GET /v1/metrics rules"). */
  range(nowMs: number): DayRange;
  /** A moment of the last `keptDays` days, in microseconds since 1970. */
  moment(name: string, nowMs: number, keptDays: number): number | undefined;
  /** Refuses a parameter of similar requests, and says why this one has it not. */
  never(name: string, why: string): void;
}

const FLAGS = ['1', 'true', '0', 'false'] as const;
/** Faults reported for one query. */
const MOST_FAULTS = 50;

/**
 * Reads the query of a request: `read` asks for every parameter that the route knows. Throws all faults at once: values
 * outside their set or form, parameters sent twice, and those that nobody asked for.
 */
export function readQuery<Result>(req: Request, read: (query: Query) => Result): Result {
  const given = req.query; // parsed anew each time it is asked for
  const asked = new Set<string>();
  const reasons = new Map<string, string>();
  const faults: ErrorDetail[] = [];
  const refuse = (name: string, rule: string): void => {
    faults.push({ code: 'invalid_value', message: `${name} ${rule}.`, field: name });
  };

  const take = (name: string): string | undefined => {
    asked.add(name);
    const value: unknown = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || typeof value === 'string') return value;
    refuse(name, 'must be given once');
    return undefined;
  };
  const parsed: Query['parsed'] = (name, parse, rule) => {
    const text = take(name);
    const value = text === undefined ? undefined : parse(text);
    if (value === null) refuse(name, rule);
    return value ?? undefined;
  };
  const oneOf: Query['oneOf'] = (name, values) =>
    parsed(name, (text) => values.find((value) => value === text) ?? null, `must be one of ${values.join(', ')}`);

  /** Notes what a rule throws. */
  const attempt = <Value>(rule: () => Value): Value | undefined => {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      faults.push(...error.errors);
      return undefined;
    }
  };

  const result = read({
    parsed,
    oneOf,
    required(name, values, standIn) {
      if (!Object.hasOwn(given, name)) {
        const message = `${name} is required: one of ${values.join(', ')}.`;
        faults.push({ code: 'missing_field', message, field: name });
      }
      return oneOf(name, values) ?? standIn;
    },
    flag(name) {
      const value = oneOf(name, FLAGS);
      return value && (value === '1' || value === 'true');
    },
    someOf: (name, values) =>
      parsed(
        name,
        (text) => setOf(text, values),
        `must be one or more of ${values.join(', ')}, each once, joined with commas`,
      ) ?? new Set(),
    integer: (name, { min, max, fallback }) =>
      parsed(name, (text) => wholeNumber(text, min, max), `must be a whole number from ${min} to ${max}`) ?? fallback,
    text(name, most = MOST_CHARACTERS) {
      const text = take(name);
      const length = text === undefined ? 1 : charactersIn(text);
      if (length >= 1 && length <= most) return text;
      refuse(name, `must have 1 to ${most} characters; it has ${length}`);
      return undefined;
    },
    receipt: () => parsed('after', parseReceipt, 'must be the receipt of a push'),
    range(nowMs) {
      const [from, to] = [take('from'), take('to')];
      return attempt(() => parseRange(from, to, nowMs)) ?? { from: 0, to: 0 };
    },
    moment(name, nowMs, keptDays) {
      const text = take(name);
      return text === undefined ? undefined : attempt(() => parsePastMoment(name, text, nowMs, keptDays));
    },
    never: (name, why) => void reasons.set(name, why),
  });

  for (const name of Object.keys(given)) {
    if (asked.has(name)) continue;
    const field = echo(name);
    const why = reasons.get(name);
    const message = `${field} is not a parameter of this request${why === undefined ? '' : `: ${why}`}; remove it.`;
    faults.push({ code: 'unknown_field', message, field });
  }
  const [first, ...rest] = faults.slice(0, MOST_FAULTS);
  if (first !== undefined) throw new RequestError([first, ...rest]);
  return result;
}

/** Throws unless the query is empty: for routes that know no parameter. */
export function refuseQuery(req: Request): void {
  readQuery(req, () => undefined);
}

function setOf<Value extends string>(text: string, values: readonly Value[]): ReadonlySet<Value> | null {
  const given = text.split(',');
  const known = values.filter((value) => given.includes(value));
  return known.length === given.length ? new Set(known) : null;
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : null;
}
