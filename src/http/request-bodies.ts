import type { Request, Response } from 'express';
import type { TSchema } from 'typebox';
import type { Items } from '../ingest/items.js';
import { readItems, type BatchForm } from '../ingest/read-items.js';
import { NO_TURNS, SHORT_BODY_BYTES, type Turn, type Turns } from '../ingest/turns.js';
import type { BodyRoom } from './middleware/body-room.js';
import { readBody, requireType } from './middleware/body.js';

/** What bodies are read with. */
export interface BodyTools {
  /** Shares the event loop between shops while large bodies are read. */
  turns: Turns;
  bodies: BodyRoom;
}

/** The body of a request: how the document shows it, and what the code gets. */
export interface RequestBody<Content> {
  schema: TSchema;
  maxBytes: number;
  /** Absent: `application/json` alone. */
  types?: readonly string[];
  /** Does work on the body. Throws all that is wrong with it. */
  receive(
    exchange: { req: Request; res: Response; readonly shopId: string },
    tools: BodyTools,
    work: (content: Content) => Promise<void>,
  ): Promise<void>;
}

/** The items of a push, and the turn in which they are parsed. */
export interface Batch {
  items: Items;
  turn: Turn;
}

/** A batch whose envelope is valid; each of its items is parsed and checked by itself. */
export function batch(form: BatchForm<unknown>, schema: TSchema): RequestBody<Batch> {
  return {
    schema,
    maxBytes: form.bytes,
    async receive({ req, res, shopId }, { turns, bodies }, work) {
      requireType(req);
      await bodies.of(shopId, res, async (hold) => {
        const bytes = await readBody(req, form.bytes, hold);
        const turn = bytes.length > SHORT_BODY_BYTES ? await turns.begin(shopId) : NO_TURNS;
        const { items } = await readItems(bytes, form, turn);
        await work({ items, turn });
      });
    },
  };
}
