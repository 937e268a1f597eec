import Type from 'typebox';
import { closed, field, Timestamp } from './primitives.js';

const check = (description: string) => Type.Enum(['ok', 'down'], { description });
const Status = Type.Enum(['ok', 'degraded', 'down'], {
  description: 'ok: all of its work; degraded: some of it, pushes among it; down: nothing.',
});

/** Response of `GET /v1/health`. */
export const HealthResponse = Type.Object(
  {
    status: Status,
    version: Type.String({ description: 'Version of the service.' }),
    time: field(Timestamp, 'Clock of the service, UTC.'),
    checks: Type.Object(
      {
        redis: check('The store of the queue.'),
        clickhouse: check('The warehouse.'),
        queues: check('down: the queue is over its budget, and writes are refused until workers catch up.'),
      },
      { ...closed, description: 'What it stands on.' },
    ),
    zones: Type.Object(
      {
        version: Type.String({
          description: 'Release of the IANA time zones by which days are cut.',
          examples: ['2026f'],
        }),
      },
      { ...closed, description: 'The database of time zones.' },
    ),
  },
  { ...closed, title: 'Health' },
);

/** Response of `GET /healthz`. */
export const LivenessResponse = Type.Object(
  { status: Type.Enum(['ok'], { description: 'The process lives.' }) },
  closed,
);

/** Response of `GET /readyz`. */
export const ReadinessResponse = Type.Object({ status: Status }, closed);
