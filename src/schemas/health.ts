import Type from 'typebox';
import { closed, Timestamp } from './primitives.js';

const Check = Type.Enum(['ok', 'down']);
const Status = Type.Enum(['ok', 'degraded', 'down']);

/** Response of `GET /v1/health`. */
export const HealthResponse = Type.Object(
  {
    status: Status,
    version: Type.String(),
    time: Timestamp,
    checks: Type.Object({ redis: Check, clickhouse: Check, queues: Check }, closed),
  },
  { ...closed, title: 'Health' },
);

/** Response of `GET /healthz`. */
export const LivenessResponse = Type.Object({ status: Type.Enum(['ok']) }, closed);

/** Response of `GET /readyz`. */
export const ReadinessResponse = Type.Object({ status: Status }, closed);
