import type { Request, Response } from 'express';
import type { TSchema } from 'typebox';
import type { Items } from '../body/items.js';
import { batchForm, readItems } from '../body/read-items.js';
import { NEVER_YIELDS, SHORT_BODY_BYTES, type Yielder, type Yielding } from '../body/yielding.js';
import type { BodyMemoryLimit } from '../body/memory-limit.js';
import { readBody, requireType } from '../body/read-body.js';
import { parseLargeJson } from '../body/json.js';
import { readJson } from '../body/read-json.js';
import { requireValid } from '../schemas/require-valid.js';
import type { Batch } from '../schemas/batch.js';
import type { Validator } from '../schemas/validator.js';

/** What bodies are read with. */
export interface BodyTools {
  /** Shares the event loop between shops while large bodies are read. */
  yielding: Yielding;
  /** Bounds the memory of bodies. */
  bodies: BodyMemoryLimit;
}

/** The body of a request: how the document shows it, and what the code gets. */
export interface RequestBody<Content> {
  schema: TSchema;
  /** Of one item of a batch. */
  itemSchema?: TSchema;
  maxBytes: number;
  /** Absent: `application/json` alone. */
  types?: readonly string[];
  /** Does work on the body. Throws all that is wrong with it. */
  receive: (
    exchange: { req: Request; res: Response; readonly shopId: string },
    tools: BodyTools,
    work: (content: Content) => Promise<void>,
  ) => Promise<void>;
}

/** The items of a push, which are parsed one by one. */
export interface PushedBatch {
  items: Items;
  yielder: Yielder;
}

/** A batch whose envelope is valid; each of its items is parsed and checked by itself. */
export function batch({ schema, itemSchema, maxBytes, ...rest }: Batch<unknown>): RequestBody<PushedBatch> {
  const form = batchForm({ schema, itemSchema, maxBytes, ...rest });
  return {
    schema,
    itemSchema,
    maxBytes,
    async receive({ req, res, shopId }, { yielding, bodies }, work) {
      requireType(req);
      await bodies.during(shopId, res, async (count) => {
        const bytes = await readBody(req, maxBytes, count);
        const yielder = bytes.length > SHORT_BODY_BYTES ? await yielding.begin(shopId) : NEVER_YIELDS;
        const { items } = await readItems(bytes, form, yielder);
        await work({ items, yielder });
      });
    },
  };
}

/** A body of one value, which is valid. */
export function json<Content>(validator: Validator<Content>, maxBytes: number): RequestBody<Content> {
  const { receive, ...shown } = unchecked(validator, validator.schema, maxBytes);
  return {
    ...shown,
    receive: (exchange, tools, work) => receive(exchange, tools, (value) => work(requireValid(validator, value))),
  };
}

/** One that the route checks itself. The validator is only asked for the known names. */
export function unchecked(validator: Validator<unknown>, schema: TSchema, maxBytes: number): RequestBody<unknown> {
  return {
    schema,
    maxBytes,
    receive: async ({ req }, _tools, work) => work(await readJson(req, maxBytes, validator)),
  };
}

/** A body of some megabytes, which is valid; work on it gives way to others. */
export function large<Content>(
  validator: Validator<Content>,
  schema: TSchema,
  { maxBytes, maxKeys }: { maxBytes: number; maxKeys: number },
): RequestBody<{ value: Content; yielder: Yielder }> {
  return {
    schema,
    maxBytes,
    async receive({ req, res, shopId }, { yielding, bodies }, work) {
      requireType(req);
      await bodies.during(shopId, res, async (count) => {
        const bytes = await readBody(req, maxBytes, count);
        const yielder = await yielding.begin(shopId);
        const parsed = await parseLargeJson(bytes, { names: validator.names, most: maxKeys, yielder });
        await yielder.yield();
        const value = requireValid(validator, parsed);
        await yielder.yield();
        await work({ value, yielder });
      });
    },
  };
}
