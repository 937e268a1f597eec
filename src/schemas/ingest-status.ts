import Type, { type TSchema } from 'typebox';
import { INGEST_KINDS } from '../domain/ingest.js';
import { TOP_CODES, WINDOWS } from '../domain/ingest-status.js';
import { ERROR_CODES } from '../errors.js';
import { closed } from './primitives.js';

const Count = Type.Integer({ minimum: 0 });
const OutcomeCounts = Type.Object(
  { accepted: Count, rejected: Count, superseded: Count },
  { ...closed, title: 'OutcomeCounts' },
);

/** What arrived of one kind. */
export const KindStatus = Type.Object(
  {
    last_received_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'timestamp',
      description: 'Most recent push of which something was accepted, UTC; null when there was none.',
    }),
    windows: Type.Object(record(Object.keys(WINDOWS), OutcomeCounts), closed),
    top_error_codes: Type.Array(
      Type.Object(
        { code: Type.Enum(ERROR_CODES as [string, ...string[]]), count: Count, sample_message: Type.String() },
        closed,
      ),
      { maxItems: TOP_CODES, description: 'Codes of rejected items over 30 days, most frequent first.' },
    ),
  },
  { ...closed, title: 'KindStatus' },
);

const Percentage = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  minimum: 0,
  maximum: 100,
  description: 'Percent of the counted orders of the last 30 local days, at most two decimals; null without orders.',
});

/** Response of `GET /v1/ingest/status`. */
export const IngestStatusResponse = Type.Object(
  {
    kinds: Type.Object(record(INGEST_KINDS, KindStatus), closed),
    coverage: Type.Object(
      { cogs_complete: Percentage, gateway_fee_actual: Percentage, tax_present: Percentage },
      closed,
    ),
  },
  { ...closed, title: 'IngestStatus' },
);

function record<S extends TSchema>(names: readonly string[], schema: S): Record<string, S> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}
