import { STATUS_CODES } from 'node:http';
import { ERROR_CATALOGUE, type ErrorCode } from '../../error-catalogue.js';
import { ErrorBody, Problem } from '../../schemas/errors.js';
import { KindStatus, OutcomeCounts } from '../../schemas/ingest-status.js';
import * as primitives from '../../schemas/primitives.js';
import { Units } from '../../schemas/products.js';
import { Figure } from '../../schemas/restatements.js';
import { EXPORT_TYPES } from '../exports/format.js';
import { sizeText } from '../../body/read-body.js';
import { PROBLEM_TYPE } from '../middleware/problem.js';
import { createComponents, type Components } from './components.js';
import { HEADERS, headersOf } from './headers.js';
import { INTRODUCTION } from './introduction.js';
import type { Example, Operation } from './operation.js';
import { requestErrors } from './request-errors.js';

type Json = Record<string, unknown>;

const CSV_RULES =
  'RFC 4180 in UTF-8, a line of names first; a column for each field, one within another as `source_from`. A text that begins ' +
  "like a formula has a `'` before it. An empty field is an absent or null one.";
const PARQUET_RULES =
  'Amounts and quantities are DECIMAL(38, 6), days DATE, instants TIMESTAMP in microseconds of UTC; texts are as they were sent.';

/** These have components of their own; a field that uses one may have another description. */
const SHARED = [
  primitives.Money,
  primitives.ComputedMoney,
  primitives.OptionalDecimal,
  primitives.Quantity,
  primitives.Rate,
  primitives.Timestamp,
  primitives.Day,
  primitives.NullableDay,
  primitives.NullableEndDay,
  primitives.Country,
  primitives.Currency,
  primitives.Id,
  primitives.Sku,
  primitives.NullableId,
  primitives.NullableMoney,
  primitives.NullableTimestamp,
  primitives.NullableRate,
  primitives.Receipt,
  Figure,
  Units,
  OutcomeCounts,
  KindStatus,
];

/** The OpenAPI 3.1 document of the operations: their schemas are the very ones that validate. */
export function buildDocument(operations: readonly Operation[], version: string): Json {
  const components = createComponents(SHARED);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperation(operation, components) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Profit metrics and ingest', version, description: INTRODUCTION },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A publishable or a secret key.' },
        pixelToken: { type: 'http', scheme: 'bearer', description: 'A pixel token; collects events only.' },
      },
      headers: HEADERS,
      schemas: components.schemas(),
    },
  };
}

function toOperation(operation: Operation, components: Components): Json {
  const { id, tag, summary, description, parameters = [], body, examples, itemErrors } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: itemErrors === undefined ? description : `${description}\n\n${itemCodes(itemErrors)}`,
    security: securityOf(operation),
    ...(parameters.length > 0 && {
      parameters: parameters.map(({ schema, required, errors: _errors, ...rest }) => ({
        ...rest,
        required: required ?? rest.in === 'path',
        schema: components.show(schema),
      })),
    }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        description: `At most ${sizeText(body.maxBytes)}, inflated.`,
        content: Object.fromEntries(
          (body.types ?? ['application/json']).map((type) => [
            type,
            { schema: components.show(body.schema), ...examplesOf(examples, 'body') },
          ]),
        ),
      },
    }),
    responses: responsesOf(operation, components),
    ...(itemErrors !== undefined && { 'x-item-error-codes': itemErrors }),
  };
}

function securityOf({ scope }: Operation): Json[] {
  if (scope === null) return [];
  if (scope === 'collect') return [{ pixelToken: [scope] }, {}];
  return [{ apiKey: scope === 'secret' ? [] : [scope] }];
}

function responsesOf(operation: Operation, components: Components): Json {
  const responses: Json = {};
  const exchanges = (status: number): Example[] => operation.examples.filter((one) => one.status === status);
  for (const [status, { description, schema, headers = [], rows }] of Object.entries(operation.answers)) {
    const shown = exchanges(Number(status));
    const ofType = (type?: string): Json =>
      examplesOf(
        shown.filter(({ accept }) => accept === type),
        'response',
      );
    responses[status] = {
      description,
      headers: headersOf(operation, Number(status), headers),
      ...(schema !== undefined && {
        content: {
          'application/json': { schema: components.show(schema), ...ofType() },
          ...(rows !== undefined && exportsOf(rows, ofType)),
        },
      }),
    };
  }
  for (const [status, codes] of requestErrors(operation)) {
    const failure = {
      description: `${STATUS_CODES[status] ?? 'Error'}. ${codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].meaning}`).join(' ')}`,
      headers: headersOf(operation, status, []),
      content: {
        'application/json': { schema: errorSchema(codes, components), ...examplesOf(exchanges(status), 'response') },
        [PROBLEM_TYPE]: { schema: components.show(Problem) },
      },
    };
    const success = responses[String(status)] as { description: string; content?: Record<string, Json> } | undefined;
    responses[status] = success === undefined ? failure : { ...failure, ...either(success, failure) };
  }
  return responses;
}

function exportsOf(rows: string, examplesOfType: (type: string) => Json): Json {
  const whole = `Every ${rows} that the query finds, not a page: \`limit\` and the cursor are refused.`;
  const { csv, parquet } = EXPORT_TYPES;
  return {
    [csv]: { schema: { type: 'string', description: `${whole} ${CSV_RULES}` }, ...examplesOfType(csv) },
    [parquet]: { schema: { type: 'string', format: 'binary', description: `${whole} ${PARQUET_RULES}` } },
  };
}

/** A status that an operation gives both as an answer and as a failure. */
function either(
  success: { description: string; content?: Record<string, Json> },
  failure: { description: string; content: Record<string, Json> },
): Json {
  const schemas = [success.content?.['application/json']?.schema, failure.content['application/json']?.schema];
  return {
    description: `${success.description} ${failure.description}`,
    content: {
      ...failure.content,
      'application/json': { schema: { anyOf: schemas.filter((schema) => schema !== undefined) } },
    },
  };
}

function errorSchema(codes: readonly ErrorCode[], components: Components): Json {
  const code = { enum: codes, description: 'The codes that this status has here.' };
  const errors = { description: 'All faults of the request.', items: { properties: { code } } };
  return { allOf: [components.show(ErrorBody), { properties: { errors } }] };
}

function examplesOf(examples: readonly Example[], side: 'body' | 'response'): Json {
  const shown = examples.filter((example) => example[side] !== undefined);
  if (shown.length === 0) return {};
  return {
    examples: Object.fromEntries(shown.map((one) => [one.name, { summary: one.summary, value: one[side] }])),
  };
}

function itemCodes(codes: readonly ErrorCode[]): string {
  return `**Codes of rejected items**\n\n${codes.map((code) => `- \`${code}\`: ${ERROR_CATALOGUE[code].meaning}`).join('\n')}`;
}
