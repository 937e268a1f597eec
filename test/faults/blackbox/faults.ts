import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores } from './engines.js';
import { PARTS, type Machine } from './machine.js';
import type { Network, NetworkState } from './proxy.js';
import type { Random } from '../../simulation/world/random.js';

/** What can go wrong with. */
export interface Scene {
  machines: readonly Machine[];
  stores: Stores;
  /** What Redis may use from now on, so that so many bytes more are too many for the queues; 0: what it could use at first. */
  limitMemory: (extraBytes: number) => Promise<void>;
  /** Resolves once writes are refused. */
  untilRefused: () => Promise<void>;
  /** Resolves once no job waits any more. */
  untilDrained: () => Promise<void>;
}

export interface Fault {
  name: string;
  /** Resolves when what caused it is gone. */
  run(): Promise<void>;
}

interface Process {
  name: string;
  pid: () => number;
}

const MINUTE_MS = 60_000;
/** What the queues may grow by before writes are refused, and a third more before Redis refuses all. */
const EXTRA_BYTES = 300_000;

function processesOf({ machines, stores }: Scene): Process[] {
  return [
    ...machines.flatMap((machine) =>
      PARTS.map((part) => ({ name: `${part} of ${machine.name}`, pid: () => machine.pidOf(part) })),
    ),
    { name: 'redis', pid: () => stores.pidOf('redis') },
    ...stores.ports.clickhouse.map((_, i) => ({ name: serverName(stores, i), pid: () => stores.pidOf(i) })),
  ];
}

function serverName({ ports }: Stores, index: number): string {
  return ports.clickhouse.length === 1 ? 'clickhouse' : `clickhouse ${index + 1}`;
}

function signal({ pid }: Process, name: NodeJS.Signals): void {
  const to = pid();
  if (to === 0) return; // it is being started
  try {
    process.kill(to, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function pause(victim: Process, ms: number, during: () => void = () => undefined): Promise<void> {
  const pid = victim.pid();
  if (pid === 0) return;
  const stopped = { ...victim, pid: () => pid };
  signal(stopped, 'SIGSTOP');
  try {
    during();
    await sleep(ms);
  } finally {
    signal(stopped, 'SIGCONT');
  }
}

/** The fault that a choice stands for. */
export function chooseFault(choice: Random, scene: Scene): Fault {
  const processes = processesOf(scene);
  const victim = choice.pick(processes);
  const other = choice.pick(processes.filter(({ name }) => name !== victim.name));
  const ms = choice.int(500, 3_500);
  const later = choice.int(0, 600);
  const machine = choice.pick(scene.machines);
  const store = choice.pick(['redis', 'clickhouse'] as const);
  const shift = choice.pick([-MINUTE_MS, MINUTE_MS]);
  const slowMs = choice.int(20, 300);
  const both = choice.chance(0.4);
  const { disk, between } = scene.stores;
  /** One server of several, or all. */
  const server = between.length === 0 ? undefined : choice.pick([undefined, ...between.keys()]);

  const spoil = (name: string, ways: readonly Network[], state: NetworkState): Fault => ({
    name: `${name} for ${ms} ms`,
    async run() {
      for (const way of ways) way.set(state);
      await sleep(ms);
      for (const way of ways) way.set({ kind: 'open' });
    },
  });
  const network = (state: NetworkState, of: 'redis' | 'clickhouse' = store): Fault => {
    const cut = both ? scene.machines : [machine];
    const what = of === 'redis' || server === undefined ? of : serverName(scene.stores, server);
    const isMeant = (_: Network, index: number): boolean => server === undefined || index === server;
    const ways = cut.flatMap(({ redis, clickhouse }) => (of === 'redis' ? [redis] : clickhouse.filter(isMeant)));
    return spoil(`${what} ${state.kind} for ${cut.map(({ name }) => name).join(' and ')}`, ways, state);
  };
  const faults: (() => Fault)[] = [
    () => ({
      name: `kill ${victim.name}`,
      run() {
        signal(victim, 'SIGKILL');
        return Promise.resolve();
      },
    }),
    () => ({
      name: `kill ${victim.name}, and ${other.name} ${later} ms later`,
      async run() {
        signal(victim, 'SIGKILL');
        await sleep(later);
        signal(other, 'SIGKILL');
      },
    }),
    () => ({ name: `pause ${victim.name} for ${ms} ms`, run: () => pause(victim, ms) }),
    () => ({
      name: `pause ${victim.name} and ${other.name} for ${ms} ms`,
      async run() {
        await Promise.all([pause(victim, ms), pause(other, ms)]);
      },
    }),
    () => ({
      name: `kill ${other.name} while ${victim.name} is paused for ${ms} ms`,
      run: () => pause(victim, ms, () => signal(other, 'SIGKILL')),
    }),
    () => network({ kind: 'cut' }),
    () => network({ kind: 'silent' }),
    () => network({ kind: 'deaf' }),
    () => network({ kind: 'slow', ms: slowMs }),
    () => network({ kind: 'refusing' }, 'clickhouse'),
    () => ({ name: 'Redis at its memory limit', run: () => fillMemory(scene) }),
    () => ({
      name: `the clock of ${machine.name} is wrong by ${shift} ms for ${ms} ms`,
      async run() {
        await machine.shiftClock(shift);
        await sleep(ms);
        await machine.shiftClock(0);
      },
    }),
    () => ({
      name: disk === undefined ? 'a full disk: left out, no disk can be mounted here' : `the disk is full for ${ms} ms`,
      async run() {
        await disk?.fill();
        await sleep(ms);
        await disk?.empty();
      },
    }),
  ];
  if (between.length > 0) {
    const index = server ?? 0;
    const state = choice.pick<NetworkState>([
      { kind: 'cut' },
      { kind: 'silent' },
      { kind: 'deaf' },
      { kind: 'slow', ms: slowMs },
    ]);
    faults.push(() =>
      spoil(
        `${serverName(scene.stores, index)} ${state.kind} for the other servers`,
        between.slice(index, index + 1),
        state,
      ),
    );
  }
  return choice.pick(faults)();
}

/** No worker works until writes are refused; then they work it all off, and the limit stands all the while. */
async function fillMemory({ machines, limitMemory, untilRefused, untilDrained }: Scene): Promise<void> {
  const workers = machines.map((machine) => machine.pidOf('worker')).filter((pid) => pid > 0);
  const tell = (name: NodeJS.Signals): void => {
    for (const pid of workers) signal({ name: 'a worker', pid: () => pid }, name);
  };
  await limitMemory(EXTRA_BYTES);
  try {
    tell('SIGSTOP');
    try {
      await untilRefused();
    } finally {
      tell('SIGCONT');
    }
    await untilDrained();
  } finally {
    await limitMemory(0);
  }
}
