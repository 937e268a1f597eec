import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { buildDocument } from '../../src/http/openapi/document.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import type { Operation } from '../../src/http/openapi/operation.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the document is plain JSON here, as any client reads it */

/** The document as a client gets it. */
export const DOCUMENT: any = JSON.parse(JSON.stringify(buildDocument(OPERATIONS, 'test')));

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'document', ...DOCUMENT });
const compiled = new Map<string, ValidateFunction>();

/** Compiles the schema at a JSON pointer of the document. */
export function schemaAt(pointer: string): ValidateFunction {
  let validate = compiled.get(pointer);
  if (validate === undefined) compiled.set(pointer, (validate = ajv.compile({ $ref: `document#${pointer}` })));
  return validate;
}

const escape = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The operation that a request is for; undefined when the document has no such path, or not with this method. */
export function operationOf(method: string, path: string): Operation | undefined {
  const pathname = path.split('?')[0] ?? '';
  const fits = OPERATIONS.filter((operation) => {
    const pattern = operation.path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+');
    return operation.method === method.toLowerCase() && new RegExp(`^${pattern}$`).test(pathname);
  });
  return fits.find((operation) => operation.path === pathname) ?? fits[0];
}

export interface ObservedAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Checks an answer against what the document declares for its operation and status. Throws with all that differs. */
export function checkAnswer(method: string, path: string, { status, headers, text }: ObservedAnswer): void {
  const operation = operationOf(method, path);
  if (operation === undefined) return;
  const faults: string[] = [];
  const pointer = `/paths/${escape(operation.path)}/${operation.method}/responses/${status}`;
  const declared = DOCUMENT.paths[operation.path][operation.method].responses[status];
  if (declared === undefined) faults.push('the document does not declare this status');
  else {
    for (const [name, { $ref }] of Object.entries<{ $ref: string }>(declared.headers)) {
      const { required = false, schema } = DOCUMENT.components.headers[$ref.split('/').at(-1) ?? ''];
      const value = headers.get(name);
      if (value === null ? required : !new RegExp(schema.pattern ?? '').test(value)) {
        faults.push(`header ${name} is ${value ?? 'missing'}`);
      }
    }
    const type = headers.get('content-type') ?? '';
    const [mediaType = ''] = type.split(';');
    const content = declared.content?.[mediaType];
    if (content === undefined) {
      if (text !== '') faults.push(`the document declares no body of the type "${mediaType}"`);
    } else if (mediaType.endsWith('json')) {
      if (!/^[^;]+(; charset=utf-8)?$/.test(type)) faults.push(`Content-Type is "${type}"`);
      const body: unknown = JSON.parse(text);
      const validate = schemaAt(`${pointer}/content/${escape(mediaType)}/schema`);
      if (!validate(body)) faults.push(ajv.errorsText(validate.errors, { dataVar: 'body' }));
      faults.push(...undeclaredItemCodes(operation, body));
    }
  }
  if (faults.length === 0) return;
  throw new Error(`${method} ${path} answered ${status}: ${faults.join('; ')}\n${text.slice(0, 2_000)}`);
}

function undeclaredItemCodes({ itemErrors = [] }: Operation, body: any): string[] {
  const results: { errors?: { code: string }[] }[] = Array.isArray(body?.results) ? body.results : [];
  const codes = new Set(results.flatMap(({ errors = [] }) => errors.map(({ code }) => code)));
  return [...codes]
    .filter((code) => !(itemErrors as readonly string[]).includes(code))
    .map((code) => `the document does not declare the item code ${code}`);
}

const OF_ONE_SERVICE = ['request_id', 'batch_id', 'receipt', 'key_last4', 'hook_id', 'url'];
const CLOCK = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Without points in time, durations, request ids and receipts. */
export function timeless(value: unknown, key = ''): unknown {
  if (typeof value === 'string' && (OF_ONE_SERVICE.includes(key) || CLOCK.test(value))) return `<${key}>`;
  if (key === 'ms') return `<${key}>`;
  if (Array.isArray(value)) return value.map((item) => timeless(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, timeless(item, name)]));
}
