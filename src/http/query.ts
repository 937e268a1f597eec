import type { Request } from 'express';
import { echo, RequestError, type ErrorDetail } from '../errors.js';
import type { Parameter } from './openapi/operation.js';

/** What a parameter is read with besides its text. */
export interface QueryContext {
  nowMs: number;
  /** Days that the past of figures is kept. */
  keptDays: number;
  /** The whole result is asked for as a file, not a page. */
  isExport: boolean;
  /** Parameters that are not declared are passed over instead of refused. */
  takesUnknown: boolean;
}

/** The texts of one query. */
export interface QueryText {
  /** Undefined for an absent parameter, and for one that is given twice, which is a fault. */
  take(name: string): string | undefined;
  /** Of a list: one that is given several times is joined with commas. */
  takeAll(name: string): string | undefined;
  has(name: string): boolean;
  refuse(fault: ErrorDetail): void;
  /** Of a parameter that is not one of the request; `reason` tells why, where others have it. */
  refuseUnknown(name: string, reason?: string): void;
}

/** One or several parameters that are read together: how the document shows them, and what the code gets. */
export interface QueryPart<Value> {
  parameters: readonly Parameter[];
  /** A faulty value is refused and read as absent. */
  read(text: QueryText, context: QueryContext): Value;
}

/** The parameters of a route, by their names in the code, in the order of the document. */
export type QueryDeclaration = Readonly<Record<string, QueryPart<unknown>>>;
export type QueryOf<Declaration> = {
  [Name in keyof Declaration]: Declaration[Name] extends QueryPart<infer Value> ? Value : never;
};

/** Faults reported for one query. */
const MAX_FAULTS = 50;

/**
 * Reads the query of a request. Throws all faults at once: values outside their set or form, parameters sent twice, and those
 * that are not declared.
 */
export function readQuery<Declaration extends QueryDeclaration>(
  req: Request,
  declaration: Declaration | undefined,
  context: QueryContext,
): QueryOf<Declaration> {
  const given = req.query; // Express parses it each time
  const known = new Set<string>();
  const faults: ErrorDetail[] = [];
  const text: QueryText = {
    take(name) {
      known.add(name);
      const value: unknown = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined || typeof value === 'string') return value;
      faults.push({ code: 'invalid_value', message: `${name} must be given once.`, field: name });
      return undefined;
    },
    takeAll(name) {
      const value: unknown = Object.hasOwn(given, name) ? given[name] : undefined;
      if (!isTexts(value)) return text.take(name);
      known.add(name);
      return value.join(',');
    },
    has: (name) => Object.hasOwn(given, name),
    refuse: (fault) => faults.push(fault),
    refuseUnknown(name, reason) {
      known.add(name);
      const field = echo(name);
      const why = reason === undefined ? '' : `: ${reason}`;
      faults.push({
        code: 'unknown_field',
        message: `${field} is not a parameter of this request${why}; remove it.`,
        field,
      });
    },
  };
  const values = Object.entries(declaration ?? {}).map(([name, part]) => [name, part.read(text, context)]);
  for (const name of Object.keys(given)) if (!context.takesUnknown && !known.has(name)) text.refuseUnknown(name);
  const [first, ...rest] = faults.slice(0, MAX_FAULTS);
  if (first !== undefined) throw new RequestError([first, ...rest]);
  return Object.fromEntries(values) as QueryOf<Declaration>;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
