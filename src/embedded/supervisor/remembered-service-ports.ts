import { join } from 'node:path';
import type { EngineLog } from '../engines/engine.js';
import { keptPorts } from '../engines/remembered-ports.js';
import type { SupervisorConfig } from './supervisor-config.js';

/** The port of the BI tools: the asked one, else a free one that the data folder keeps. */
export async function keptBiPort({ dataDir, biPort }: SupervisorConfig, log: EngineLog): Promise<number> {
  const { bi } = await keptPorts(join(dataDir, 'ports.json'), { bi: biPort }, '127.0.0.1', log);
  return bi;
}

/** The ports at which the API and the worker tell their metrics: the asked ones, else free ones that the data folder keeps. */
export function keptMetricsPorts(
  config: SupervisorConfig,
  log: EngineLog,
): Promise<Record<'metrics' | 'workerMetrics', number>> {
  const asked = { metrics: config.metricsPort, workerMetrics: config.workerMetricsPort };
  return keptPorts(join(config.dataDir, 'ports.json'), asked, '127.0.0.1', log);
}
