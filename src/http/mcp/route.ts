import type { Express, Request, RequestHandler, Response } from 'express';
import type * as McpTypes from '@modelcontextprotocol/sdk/types.js';
import { readJson } from '../../body/read-json.js';
import { fieldsOf } from '../../domain/fields.js';
import { echo, requestError, type ErrorDetail } from '../../errors.js';
import type { ErrorBody } from '../../schemas/errors.js';
import { authOf } from '../middleware/authenticate.js';
import { requestIdIn } from '../middleware/request-id.js';
import { OPERATIONS } from '../openapi/operations.js';
import type { RouteTools } from '../route.js';
import { VERSION } from '../version.js';
import { createAskApi } from './ask.js';
import { pageOf, readTools } from './tools.js';

export const MCP_PATH = '/mcp';
/** A question holds some ids and days. */
const MAX_BYTES = 64 * 1024;
/** Of the address that a call asks: the head of a request to the API may hold 16 KB. */
const MAX_PATH = 8_000;
const INSTRUCTIONS =
  'Profit figures of one online store: the shop of the key. Amounts are exact decimal strings in the currency of the shop, days are ' +
  'its local days. Begin with getMetrics (include=statement,coverage) for a period; explainFigure says what a figure is made of. ' +
  'Nothing can be changed here.';

export interface McpDeps {
  /** Days of a shop that are still to be computed from what is stored. */
  openDays: (shopId: string) => Promise<number>;
}

/**
 * `POST /mcp`: the reads of the API as tools of the Model Context Protocol (Streamable HTTP, without sessions). A call goes through
 * the API's own route, with the key of the request; a message counts as one read.
 */
export function mcpHandlers(app: Express, routeTools: RouteTools, deps: McpDeps): readonly RequestHandler[] {
  const tools = readTools(OPERATIONS);
  const ask = createAskApi(app);

  const call = async (req: Request, res: Response, name: string, given: Record<string, unknown>) => {
    const known = tools.get(name);
    if (known === undefined) return null;
    const missing = known.missing(given);
    if (missing.length > 0)
      return refusal(
        res,
        missing.map((field) => ({ code: 'missing_field', message: `${field} is required.`, field })),
      );
    const path = known.addressOf(given);
    if (path.length > MAX_PATH)
      return refusal(res, [{ code: 'invalid_request', message: 'The arguments are too long.' }]);
    const record = authOf(res);
    const { shopId } = record;
    const { status, text: answered } = await ask({
      path,
      record,
      requestId: requestIdIn(res),
      host: req.headers.host ?? '',
      address: req.socket.remoteAddress ?? '',
    });
    const isError = status >= 400;
    const notes = isError ? [] : await notesOf(req, name, shopId, given);
    const content = [answered, ...notes].map((text) => ({ type: 'text' as const, text }));
    return { content, structuredContent: fieldsOf(JSON.parse(answered)), isError } satisfies McpTypes.CallToolResult;
  };

  /** Where a person sees the same, and whether the figures hold all that was stored. */
  const notesOf = async (req: Request, name: string, shopId: string, given: Record<string, unknown>) => {
    const page = pageOf(name, shopId, given);
    const seen = page === null ? [] : [`The same in the app: ${req.protocol}://${req.headers.host ?? ''}${page}`];
    if (given.after !== undefined) return [...seen, 'It holds the push that after names, and all before it.'];
    const days = await deps.openDays(shopId);
    return [
      ...seen,
      days === 0 ? 'It holds every push that is stored.' : `${days} days of the shop are still to be computed.`,
    ];
  };

  const answer: RequestHandler = async (req, res) => {
    const message = await readJson(req, MAX_BYTES);
    if (Array.isArray(message)) throw requestError('invalid_request', 'Send one message of JSON-RPC, not a list.');
    // Loaded by the first message: they take longer than the rest of the service.
    const [{ McpServer }, { StreamableHTTPServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    const faults = faultsOf(message, types);
    if (faults !== null) {
      const error = { code: types.ErrorCode.InvalidParams, message: faults };
      res.json({ jsonrpc: '2.0', id: fieldsOf(message).id, error });
      return;
    }
    const about = { name: 'profit-metrics', title: 'Profit metrics', version: VERSION };
    const { server } = new McpServer(about, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({
      tools: [...tools.values()].map(({ tool }) => tool),
    }));
    server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
      const result = await call(req, res, params.name, params.arguments ?? {});
      if (result !== null) return result;
      throw new types.McpError(types.ErrorCode.InvalidParams, `There is no tool "${echo(params.name)}".`);
    });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    res.once('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(req, res, message);
  };

  return [sameOrigin, ...routeTools.guards('read', 'reads'), answer];
}

/** What is wrong with the parameters of a request whose method is known; null: nothing, or the protocol says it. */
function faultsOf(message: unknown, types: typeof McpTypes): string | null {
  const request = types.JSONRPCRequestSchema.safeParse(message);
  if (!request.success) return null;
  const { InitializeRequestSchema, PingRequestSchema, ListToolsRequestSchema, CallToolRequestSchema } = types;
  const known = [InitializeRequestSchema, PingRequestSchema, ListToolsRequestSchema, CallToolRequestSchema].find(
    ({ shape }) => shape.method.value === request.data.method,
  );
  const checked = known?.safeParse(message);
  if (checked === undefined || checked.success) return null;
  return checked.error.issues.map(({ path, message: fault }) => `${path.join('.')}: ${fault}`).join('; ');
}

/** In the form of the API. */
function refusal(res: Response, errors: ErrorDetail[]): McpTypes.CallToolResult {
  const body = { errors, request_id: requestIdIn(res) } satisfies ErrorBody;
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body, isError: true };
}

/** Refuses what a page of another site sends, as the protocol asks. */
const sameOrigin: RequestHandler = ({ headers: { origin, host } }, res, next) => {
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) {
    next();
    return;
  }
  const message = 'A page of another site may not use this address.';
  res.status(403).json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
};
