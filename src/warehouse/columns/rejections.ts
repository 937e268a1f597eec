import type { IngestKind, Sender } from '../../domain/ingest.js';
import { dateTimeText } from './date-time.js';
import { jsonRows } from './json-rows.js';

/** What is kept of one rejected item; texts are JSON. */
export interface RejectedRow {
  /** Place in its push. */
  position: number;
  /** Without personal data; null: none was supplied. */
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

/** Rows of `rejections`. */
export function encodeRejections({ sender, kind, batchId, receivedAt, rows }: RejectedRows): Buffer {
  return jsonRows(
    rows.map(({ position, id, codes, errors, payload, isCut }) => ({
      shop_id: sender.shopId,
      received_at: dateTimeText(receivedAt),
      batch_id: batchId,
      position,
      kind,
      item_id: id,
      codes,
      errors,
      payload,
      is_cut: isCut,
      key_last4: sender.keyLast4,
      request_id: sender.requestId,
    })),
  );
}
