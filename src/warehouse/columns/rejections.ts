import type { IngestKind, Sender } from '../../domain/ingest.js';
import { RowBinaryWriter } from './row-binary.js';

/** What is kept of one rejected item; texts are JSON. */
export interface RejectedRow {
  /** Place in its push. */
  position: number;
  /** As supplied; null: none was. */
  id: string | null;
  codes: readonly string[];
  errors: string;
  /** Empty: not kept. */
  payload: string;
  isCut: boolean;
}

export interface RejectedRows {
  sender: Sender;
  kind: IngestKind;
  batchId: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  rows: readonly RejectedRow[];
}

export const INSERT_REJECTIONS = `INSERT INTO rejections (shop_id, received_at, batch_id, position, kind, item_id, codes,
  errors, payload, is_cut, key_last4, request_id) FORMAT RowBinary`;

export function encodeRejections({ sender, kind, batchId, receivedAt, rows }: RejectedRows): Buffer {
  const w = new RowBinaryWriter();
  for (const { position, id, codes, errors, payload, isCut } of rows) {
    w.string(sender.shopId);
    w.dateTime64(receivedAt);
    w.string(batchId);
    w.uint32(position);
    w.string(kind);
    w.bool(id === null);
    if (id !== null) w.string(id.toWellFormed());
    for (const code of w.array(codes)) w.string(code);
    w.string(errors);
    w.string(payload);
    w.bool(isCut);
    w.string(sender.keyLast4);
    w.string(sender.requestId);
  }
  return w.bytes();
}
