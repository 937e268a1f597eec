import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningClickHouse } from '../../../src/embedded/engines/clickhouse.js';
import type { EngineLog } from '../../../src/embedded/engines/engine.js';
import { keepClickHouse } from '../../../src/embedded/engines/remembered-engines.js';
import { startShards, type RunningShards } from '../../../src/embedded/engines/shards.js';
import { readSupervisorConfig } from '../../../src/embedded/supervisor/supervisor-config.js';
import type { Engines } from '../../support/engines.js';
import { createNetwork, type Network } from './proxy.js';

/** One server of ClickHouse or several; each comes back when it dies. */
export interface Servers {
  /** As they were started first; they keep their addresses. */
  engines: Pick<Engines, 'clickhouse' | 'shards'>;
  /** As they were started last. */
  current(): readonly RunningClickHouse[];
  /** The ways to each of them from the others; empty when it is alone. */
  between: readonly Network[];
  stop(): Promise<void>;
}

/** An init system waits this long before it starts what has ended. */
const RESTART_MS = 500;

/** A single one is kept as `npm start` keeps it. */
export async function keepServers(dataDir: string, shards: number, log: EngineLog): Promise<Servers> {
  if (shards > 1) return keepShards(dataDir, shards, log);
  const kept = await keepClickHouse(readSupervisorConfig({ DATA_DIR: dataDir }), log, () => undefined);
  return {
    engines: { clickhouse: kept.current() },
    current: () => [kept.current()],
    between: [],
    stop: () => kept.stop(),
  };
}

async function keepShards(dataDir: string, count: number, log: EngineLog): Promise<Servers> {
  const between: Network[] = [];
  const returns = new Set<Promise<void>>();
  let running: RunningShards | undefined;
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;

  const bringBack = async (index: number): Promise<void> => {
    for (let isUp = false; !isUp && !isStopped();) {
      await sleep(RESTART_MS);
      if (isStopped()) return;
      try {
        await running?.restart(index);
        isUp = true;
      } catch (err) {
        log.error({ err, index }, 'a server could not be started again');
      }
    }
  };
  const shards = (running = await startShards({
    dataDir: join(dataDir, 'clickhouse'),
    log,
    count,
    onExit(index) {
      log.error({ index }, 'a server ended');
      const back = bringBack(index).finally(() => returns.delete(back));
      returns.add(back);
    },
    async through(nativePort) {
      const way = await createNetwork(nativePort);
      between.push(way);
      return way.port;
    },
  }));
  const server = (index: number): RunningClickHouse => {
    const found = shards.shards[index];
    if (found === undefined) throw new RangeError(`there is no server ${index}`);
    return found;
  };
  return {
    engines: { clickhouse: server(0), shards },
    current: () => shards.shards,
    between,
    async stop() {
      stopping.abort();
      await Promise.all(returns);
      await shards.stop();
      await Promise.all(between.map((way) => way.stop()));
    },
  };
}
