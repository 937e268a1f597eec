import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { MetricsSource } from './metrics-server.js';

export type { Registry } from 'prom-client';

/** The metrics of a process, to which its parts add theirs. */
export const createRegistry = (): Registry => new Registry();

/** Those of the runtime: memory, processor, garbage, delay of the event loop. */
export const observeRuntime = (register: Registry): void => collectDefaultMetrics({ register });

/**
 * In a process of a cluster: its first process asks for these. `slot` tells them apart: counters added up would fall when a process
 * ends, which Prometheus takes for a new start of them all, and the delay of one event loop would be lost in an average
 * (findings/counters-of-a-cluster.sh).
 */
export function offerToCluster(register: Registry, slot: string): void {
  register.setDefaultLabels({ process: slot });
  new AggregatorRegistry(); // listens to the first process
  AggregatorRegistry.setRegistries(register);
}

/** In the first process of a cluster: the metrics of all its processes. */
export function clusterMetrics(): MetricsSource {
  const all = new AggregatorRegistry();
  return { contentType: all.contentType, metrics: () => all.clusterMetrics() };
}

/** Buckets of what a client waits for, in seconds. */
export const WAIT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
