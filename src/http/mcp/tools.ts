import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Operation, Parameter } from '../openapi/operation.js';

/** A read of the API as a tool: named and described as in the document, with the schemas of its parameters. */
export interface ReadTool {
  tool: Tool;
  /** The address that a call asks, with the given arguments; those of the path are percent-encoded. */
  addressOf: (given: Readonly<Record<string, unknown>>) => string;
  /** Arguments of the path that a call lacks; the route says which others. */
  missing: (given: Readonly<Record<string, unknown>>) => string[];
}

const isArgument = ({ in: place }: Parameter): boolean => place !== 'header';

/** Every operation that a key with `read` may call and that changes nothing. */
export function readTools(operations: readonly Operation[]): ReadonlyMap<string, ReadTool> {
  const reads = operations.filter(({ method, scope }) => method === 'get' && scope === 'read');
  return new Map(reads.map((operation) => [operation.id, toTool(operation)]));
}

function toTool({ id, path, summary, description, parameters = [] }: Operation): ReadTool {
  const known = parameters.filter(isArgument);
  const properties = Object.fromEntries(
    known.map((one) => [one.name, { ...one.schema, description: one.description }]),
  );
  const inPath = known.filter((one) => one.in === 'path').map(({ name }) => name);
  const required = known.filter((one) => one.required ?? one.in === 'path').map(({ name }) => name);
  return {
    tool: {
      name: id,
      title: summary,
      description,
      inputSchema: {
        type: 'object',
        properties,
        additionalProperties: false,
        ...(required.length > 0 && { required }),
      },
      annotations: { title: summary, readOnlyHint: true, openWorldHint: false },
    },
    missing: (given) => inPath.filter((name) => (given[name] ?? '') === ''),
    addressOf(given) {
      const query = new URLSearchParams();
      // An unknown name goes along: the route refuses it as it does everywhere.
      for (const [name, value] of Object.entries(given)) if (!inPath.includes(name)) query.set(name, textOf(value));
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(given[name] ?? '')));
      return query.size === 0 ? address : `${address}?${query.toString()}`;
    },
  };
}

/** Of an argument in an address: items of a list are joined by commas. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(',') : typeof value === 'string' ? value : JSON.stringify(value);

/** The page of the app that shows what a tool answers; absent: none does. */
const PAGES: Readonly<Record<string, string>> = {
  getMetrics: '',
  getDailyMetrics: '',
  explainFigure: '',
  explainChange: '',
  listOrders: '/orders',
  getOrder: '/orders',
  getBreakdown: '/orders',
  listProducts: '/products',
  listProductCosts: '/products',
  getAttribution: '/channels',
  getCohorts: '/customers',
  listRestatements: '/changes',
  getConnections: '/connections',
  getIngestStatus: '/connections',
  getSource: '/settings',
};

/** Where in the app a person sees what a tool answers, below the host; null: nowhere. */
export function pageOf(name: string, shopId: string, given: Readonly<Record<string, unknown>>): string | null {
  const page = PAGES[name];
  if (page === undefined) return null;
  const item = name === 'getOrder' ? `/${encodeURIComponent(textOf(given.order_id))}` : '';
  const days = new URLSearchParams();
  for (const bound of ['from', 'to', 'by']) if (given[bound] !== undefined) days.set(bound, textOf(given[bound]));
  return `/shop/${encodeURIComponent(shopId)}${page}${item}${days.size === 0 ? '' : `?${days.toString()}`}`;
}
