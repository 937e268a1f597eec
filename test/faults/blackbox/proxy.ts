import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What the network between a machine and a store does. `cut`: connections break and none is made. `silent`: what is sent is
 * held back, and lost in the end. `deaf`: the store gets what is sent, and nobody gets its answers. `slow`: every packet
 * waits. `refusing`: an HTTP server that answers 503 stands there.
 */
export type NetworkState =
  | { kind: 'open' }
  | { kind: 'cut' }
  | { kind: 'silent' }
  | { kind: 'deaf' }
  | { kind: 'slow'; ms: number }
  | { kind: 'refusing' };

export interface Network {
  port: number;
  /** From now on; what the state before has spoilt is broken off. */
  set(state: NetworkState): void;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const REFUSAL = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** A TCP proxy between a client and a port of this machine. */
export async function createNetwork(target: number): Promise<Network> {
  let state: NetworkState = { kind: 'open' };
  const pairs = new Set<{ break: () => void; isSpoilt: boolean }>();

  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => undefined);
    if (state.kind === 'cut') {
      client.resetAndDestroy();
      return;
    }
    if (state.kind === 'refusing') {
      client.once('data', () => client.end(REFUSAL));
      return;
    }
    const store = connect({ port: target, host: HOST, noDelay: true });
    const pair = {
      isSpoilt: false,
      break() {
        client.resetAndDestroy();
        store.resetAndDestroy();
      },
    };
    pairs.add(pair);
    const isLost = (answers: boolean): boolean => state.kind === 'silent' || (state.kind === 'deaf' && answers);
    const lead = (from: Socket, to: Socket, answers: boolean): void => {
      from.on('data', (chunk) => {
        from.pause();
        void (async () => {
          if (state.kind === 'slow') await sleep(state.ms);
          if (isLost(answers)) pair.isSpoilt = true;
          if (!pair.isSpoilt || (state.kind === 'deaf' && !answers)) {
            if (!to.destroyed && !to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
          }
          from.resume();
        })().catch(() => pair.break());
      });
      from.once('end', () => to.end());
      from.once('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    };
    store.on('error', () => client.resetAndDestroy());
    lead(client, store, false);
    lead(store, client, true);
  });
  server.listen(0, HOST);
  await once(server, 'listening');

  const breakAll = (onlySpoilt: boolean): void => {
    for (const pair of pairs) if (pair.isSpoilt || !onlySpoilt) pair.break();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      breakAll(next.kind !== 'cut' && next.kind !== 'refusing');
    },
    async stop() {
      server.close();
      breakAll(false);
      await once(server, 'close');
    },
  };
}
