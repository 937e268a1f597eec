import { HealthResponse, LivenessResponse, ReadinessResponse } from '../../schemas/health.js';
import { OWN_RELEASE, zonesVersion } from '../../domain/zones/database.js';
import { defineRoute, type Route } from '../route.js';
import { VERSION } from '../version.js';

/** Which of the stores answer. */
export interface Health {
  redis: boolean;
  clickhouse: boolean;
  /** False while writes are refused because the queues are too long, and when nothing leaves one for 30 s. */
  queues: boolean;
}

export interface HealthDeps {
  now: () => number;
  health: () => Promise<Health>;
  /** True from the moment on at which the process is to end. */
  isStopping: () => boolean;
}

/** `GET /v1/health` with a key; `/healthz` and `/readyz` without, for orchestrators (contract: "Health and status"). */
export const healthRoutes: readonly Route<HealthDeps>[] = [
  defineRoute({
    id: 'getHealth',
    method: 'get',
    path: '/v1/health',
    tag: 'Status',
    scope: 'read',
    summary: 'State of the service',
    description:
      'Always 200 while the service answers; `status` says whether it can do all, some or nothing of its work.',
    answers: { 200: { description: 'The state.', schema: HealthResponse } },
    examples: [
      {
        name: 'ok',
        summary: 'All well',
        status: 200,
        response: {
          status: 'ok',
          version: VERSION,
          time: '2026-03-01T08:00:00.000Z',
          checks: { redis: 'ok', clickhouse: 'ok', queues: 'ok' },
          zones: { version: OWN_RELEASE.version },
        },
      },
    ],
    async run(_call, deps) {
      const health = await deps.health();
      const word = (up: boolean): string => (up ? 'ok' : 'down');
      return {
        status: statusOf(health),
        version: VERSION,
        time: new Date(deps.now()).toISOString(),
        checks: { redis: word(health.redis), clickhouse: word(health.clickhouse), queues: word(health.queues) },
        zones: { version: zonesVersion() },
      };
    },
  }),
  defineRoute({
    id: 'getLiveness',
    method: 'get',
    path: '/healthz',
    tag: 'Status',
    scope: null,
    summary: 'The process lives',
    description: 'For orchestrators, without a key.',
    answers: { 200: { description: 'It does.', schema: LivenessResponse } },
    examples: [{ name: 'ok', summary: 'Alive', status: 200, response: { status: 'ok' } }],
    run: () => ({ status: 'ok' }),
  }),
  defineRoute({
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Status',
    scope: null,
    summary: 'The service can serve',
    description:
      'For orchestrators and load balancers, without a key. Degraded is ready: pushes are taken while the warehouse is away. ' +
      'A process that is to stop says 503 for some seconds (`DRAIN_SECONDS`), in which it still answers every request.',
    answers: {
      200: { description: 'It can.', schema: ReadinessResponse },
      503: { description: 'It can do nothing, or is about to stop.', schema: ReadinessResponse },
    },
    examples: [{ name: 'ok', summary: 'Ready', status: 200, response: { status: 'ok' } }],
    async run({ res }, { health, isStopping }) {
      const status = isStopping() ? 'down' : statusOf(await health());
      // Pushes are taken without the warehouse, so only a service that can do nothing is not ready.
      if (status === 'down') res.status(503).set('Retry-After', '5');
      return { status };
    },
  }),
];

function statusOf({ redis, clickhouse, queues }: Health): 'ok' | 'degraded' | 'down' {
  if (!redis) return 'down';
  return clickhouse && queues ? 'ok' : 'degraded';
}
