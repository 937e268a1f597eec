import type { Request, Response } from 'express';
import type { Sender } from '../../domain/ingest.js';
import type { Items } from '../../ingest/items.js';
import { readItems, type BatchForm } from '../../ingest/read-items.js';
import { NO_TURNS, SHORT_BODY_BYTES, type Turn } from '../../ingest/turns.js';
import { senderOf } from '../middleware/authenticate.js';
import { readBody, requireType } from '../middleware/body.js';
import type { RouteDeps } from '../route-deps.js';

/** Takes a push whose envelope is valid; its items are parsed in the sender's turn, or at once where they are short. */
type Take = (sender: Sender, items: Items, turn: Turn) => Promise<object>;

/** Answers the push of a request that {@link authenticate} admitted. Throws all that is wrong with its envelope. */
export async function answerPush(
  req: Request,
  res: Response,
  form: BatchForm<unknown>,
  { turns, bodies }: Pick<RouteDeps, 'turns' | 'bodies'>,
  take: Take,
): Promise<void> {
  requireType(req);
  const sender = senderOf(res);
  await bodies.of(sender.shopId, res, async (hold) => {
    const body = await readBody(req, form.bytes, hold);
    const turn = body.length > SHORT_BODY_BYTES ? await turns.begin(sender.shopId) : NO_TURNS;
    const { items } = await readItems(body, form, turn);
    res.json(await take(sender, items, turn));
  });
}
