/**
 * Why a collect event is not stored. The codes are stable: they are the per-event verdicts of `debug=1` and the keys
 * under which dropped events are counted in the ingest status. `bot` to `pii_rejected` come from enrichment, the rest
 * from the schema as well.
 */
export type DropReason =
  | 'bot'
  | 'consent_required'
  | 'pii_rejected'
  | 'invalid_timestamp'
  | 'invalid_value'
  | 'unknown_field'
  | 'missing_field'
  | 'invalid_type';

/** A dropped event: same shape as every error object of the API. `field` is absent when no one field is to blame. */
export interface Drop {
  readonly code: DropReason;
  readonly message: string;
  readonly field?: string;
}

/** The sentence shown for a reason when the step that drops has nothing more precise to say. */
export const dropMessages: Readonly<Record<DropReason, string>> = {
  bot: 'The user agent is a known bot or an automated browser; events of bots are not stored.',
  consent_required: 'Send events only with consent: consent must be "analytics" or "analytics+marketing".',
  pii_rejected: 'The value looks like an e-mail address or a phone number; send an opaque id instead.',
  invalid_timestamp:
    'ts must be an RFC 3339 timestamp such as 2026-03-01T12:00:00.000Z, at most 30 days old (at most 48 hours before sent_at where that is given) and at most one day ahead.',
  invalid_value: 'The value is not one that this field takes.',
  unknown_field: 'The event has a field that is not in the contract; remove it.',
  missing_field: 'A required field is missing.',
  invalid_type: 'The value has the wrong JSON type.',
};

/** Builds a drop; `message` replaces the reason's own sentence. */
export function drop(code: DropReason, field?: string, message = dropMessages[code]): Drop {
  return field === undefined ? { code, message } : { code, message, field };
}
