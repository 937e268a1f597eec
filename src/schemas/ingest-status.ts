import Type from 'typebox';
import { INGEST_KINDS } from '../domain/ingest.js';
import { MOST_FAILED_DAYS, TOP_CODES, WINDOWS } from '../domain/ingest-status.js';
import { ERROR_CODES } from '../errors.js';
import { coverage } from './metrics.js';
import { closed, field } from './primitives.js';

const count = (description: string) => Type.Integer({ minimum: 0, description });
export const OutcomeCounts = Type.Object(
  {
    accepted: count('Items that were accepted.'),
    rejected: count('Items that were rejected; of events, dropped.'),
    superseded: count('Items older than what was stored.'),
  },
  { ...closed, title: 'OutcomeCounts', description: 'What became of items.' },
);

/** What arrived of one kind. */
export const KindStatus = Type.Object(
  {
    last_received_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'timestamp',
      description: 'Most recent push of which something was accepted, UTC; null when there was none.',
    }),
    windows: Type.Object(
      Object.fromEntries(
        Object.keys(WINDOWS).map((name) => [name, field(OutcomeCounts, `Outcomes of the last ${name}.`)]),
      ),
      { ...closed, description: 'Outcomes over rolling windows.' },
    ),
    top_error_codes: Type.Array(
      Type.Object(
        {
          code: Type.Enum(ERROR_CODES as [string, ...string[]], { description: 'Code of the error catalogue.' }),
          count: count('How often it was given.'),
          sample_message: Type.String({ description: 'One of its messages.' }),
        },
        closed,
      ),
      { maxItems: TOP_CODES, description: 'Codes of rejected items over 30 days, most frequent first.' },
    ),
  },
  { ...closed, title: 'KindStatus', description: 'What arrived of one kind of data.' },
);

/** Response of `GET /v1/ingest/status`. */
export const IngestStatusResponse = Type.Object(
  {
    kinds: Type.Object(
      Object.fromEntries(
        INGEST_KINDS.map((kind) => [kind, field(KindStatus, `What arrived of ${kind.replace('_', ' ')}.`)]),
      ),
      { ...closed, description: 'What arrived, by kind of data.' },
    ),
    coverage: Type.Object(coverage, { ...closed, description: 'Of the counted orders of the last 30 local days.' }),
    failed_days: Type.Optional(
      Type.Array(
        Type.Object(
          {
            date: Type.String({ format: 'day', description: 'Local day whose figures are behind.' }),
            reason: Type.String({ description: 'Name of the refusal of the warehouse, for the operator.' }),
            since: Type.String({ format: 'timestamp', description: 'Time of the first failure, UTC.' }),
            tries: Type.Integer({ minimum: 1, description: 'Tries so far.' }),
          },
          closed,
        ),
        {
          maxItems: MOST_FAILED_DAYS,
          description: 'Days whose figures could not be computed and are tried again. Absent when there are none.',
        },
      ),
    ),
  },
  { ...closed, title: 'IngestStatus' },
);
