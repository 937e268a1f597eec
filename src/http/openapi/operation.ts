import type { TSchema } from 'typebox';
import type { Scope } from '../../domain/keys.js';
import type { ErrorCode } from '../../error-catalogue.js';

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** One documented request of the service. The document is built from these and from nothing else. */
export interface Operation {
  /** Unique; names the method in generated clients. */
  id: string;
  method: Method;
  /** With parameters in braces, such as `/v1/costs/expenses/{external_id}`. */
  path: string;
  tag: string;
  /** What the key must hold: a scope, any secret key, or null for a request without a key. */
  scope: Scope | 'secret' | null;
  summary: string;
  description: string;
  parameters?: readonly Parameter[];
  /** A JSON body, validated by this very schema. */
  body?: { schema: TSchema; maxBytes: number; types?: readonly string[] };
  /** Successful answers by status. */
  answers: Readonly<Record<number, SuccessResponse>>;
  /** Request-level codes beyond those that scope, parameters and body bring by themselves. */
  errors?: readonly ErrorCode[];
  /** Codes that may stand in the results of single items. */
  itemErrors?: readonly ErrorCode[];
  /** Real exchanges in the order in which they can be sent, one after the other, to a fresh shop. */
  examples: readonly Example[];
}

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  description: string;
  schema: TSchema | object;
  /** False: the values of a list stand in one parameter, joined by commas. */
  explode?: boolean;
  /** Request-level codes that it brings. */
  errors?: readonly ErrorCode[];
}

export interface SuccessResponse {
  description: string;
  /** Absent: no body. */
  schema?: TSchema;
  headers?: readonly HeaderName[];
  /** What a row of it is called, where `Accept` may ask for the whole as CSV or Parquet. */
  rows?: string;
}

export type HeaderName = 'ETag' | 'Cache-Control' | 'Receipt';

export interface Example {
  /** Key of the example in the document. */
  name: string;
  summary: string;
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Absent: none is sent, which asks for JSON. */
  accept?: string;
  body?: unknown;
  status: number;
  /** Absent: no body. Times and request ids differ from one service to the next. */
  response?: unknown;
}
