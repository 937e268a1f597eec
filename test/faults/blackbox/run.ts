import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRedis } from '../../../src/redis/one-connection.js';
import { QUEUES } from '../../../src/queue/jobs.js';
import { processesOf, until } from '../../embedded/processes.js';
import { environmentOf, startService, type Service } from '../../support/service.js';
import { checkAll } from './check.js';
import { startStores, type Stores } from './engines.js';
import { chooseFault, type Scene } from './faults.js';
import { daysOfRun } from './items.js';
import { startLoad, type Account, type Load } from './load.js';
import { startMachine, type Machine } from './machine.js';
import { createRandom, type Random } from '../../simulation/world/random.js';

export interface RunOptions {
  /** Of ClickHouse. */
  shards: number;
  seed: number;
  faults: number;
  /** Number of the first one, from 1 on. */
  first: number;
}

const ZONES = ['UTC', 'Europe/London', 'Pacific/Kiritimati'];
const OWN_ZONE = 'America/New_York';
const MACHINES = ['A', 'B'];
/** On a busy machine. */
const START_MS = 120_000;
const RECOVERY_MS = 180_000;
/** Requests that must be acknowledged before a fault, and after it. */
const GOES_ON = 25;
/** Answers 503 that make sure. */
const REFUSED = 10;

/** Resolves to 0 when every figure was right. */
export async function runFaults({ seed, faults, first, shards }: RunOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'profit-faults-'));
  const on = shards === 1 ? '' : `, on ${shards} shards`;
  console.log(`faults ${first} to ${first + faults - 1} of seed ${seed}${on}`);
  const started = performance.now();
  let last = first - 1;
  try {
    const { acknowledged, readOwn } = await withService({ folder, seed, shards }, async (play) => {
      // By chance, so that what is wrong after one fault is seen before the next, and some meet a service in disorder.
      for (last = first; last < first + faults; last++) {
        const choice = createRandom(seed * 10_000 + last);
        await play(choice, last, last === first + faults - 1 || choice.chance(0.4));
      }
    });
    const left = processesOf(folder);
    if (left.length > 0) throw new Error(`processes are left: ${left.join(', ')}`);
    const seconds = Math.round((performance.now() - started) / 1_000);
    console.log(
      `${faults} faults, ${acknowledged} requests acknowledged, ${readOwn} pushes read back with their receipt, in ${seconds} s: no difference`,
    );
    await rm(folder, { recursive: true, force: true });
    return 0;
  } catch (error) {
    console.error(error);
    console.error(`logs: ${folder}`);
    console.error(
      `repeat it: npm run test:blackbox -- --seed ${seed} --faults ${Math.max(1, last - first + 1)} --first ${first} ` +
        `--shards ${shards}`,
    );
    return 1;
  }
}

/** Requests that were acknowledged, and reads of an own push. */
interface Got {
  acknowledged: number;
  readOwn: number;
}

type Play = (choice: Random, number: number, isChecked: boolean) => Promise<void>;

/** Starts everything, lets `use` play faults, stops everything; resolves to what the clients got. */
async function withService(
  { folder, seed, shards }: { folder: string; seed: number; shards: number },
  use: (play: Play) => Promise<void>,
): Promise<Got> {
  const lines = createWriteStream(join(folder, 'stores.log'));
  const stores = await startStores(folder, shards, (line) => lines.write(`${line}\n`));
  const machines: Machine[] = [];
  let observer: Service | undefined;
  let load: Load | undefined;
  try {
    const base = await environmentOf(stores.engines);
    const watch = (observer = await startService({ base, workers: false }));
    for (const name of MACHINES) {
      machines.push(await startMachine(name, folder, stores.ports, { ...base, LOG_LEVEL: 'info', ACCESS_LOG: 'off' }));
    }
    const accounts = await Promise.all(ZONES.map((zone) => openAccount(watch, zone)));
    const own = await openAccount(watch, OWN_ZONE);
    await Promise.all(machines.map((machine) => isReady(machine, START_MS)));
    const { first, ...range } = daysOfRun(Date.now());
    const urls = machines.map(({ url }) => url);
    const clients = (load = startLoad({ seed, accounts, own, urls, first, range }));
    const scene = createScene(machines, stores, watch, clients);
    clients.resume();
    await use(async (choice, number, isChecked) => {
      const begun = performance.now();
      await goesOn(clients);
      const fault = chooseFault(choice, scene);
      process.stdout.write(`  ${number}. ${fault.name}`);
      await fault.run();
      await Promise.all(machines.map((machine) => isReady(machine, RECOVERY_MS)));
      await goesOn(clients);
      if (isChecked) {
        await clients.pause();
        clients.require();
        await checkAll(watch, machines, [...accounts, own], range);
        clients.resume();
      }
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      process.stdout.write(` (${seconds} s${isChecked ? ', all is right' : ''})\n`);
    });
    return { acknowledged: clients.acknowledged(), readOwn: clients.readOwn() };
  } finally {
    await load?.giveUp();
    await Promise.all(machines.map((machine) => machine.stop()));
    await observer?.stop();
    await stores.stop();
    lines.end();
  }
}

async function openAccount(observer: Service, zone: string): Promise<Account> {
  const shop = await observer.shop({ timezone: zone });
  const none = () => ({ sure: 0, unsure: 0 });
  return {
    shop,
    zone,
    token: await observer.key(shop.id, 'pixel'),
    orders: new Map(),
    costs: [],
    events: new Set(),
    counts: { orders: none(), spend: none(), product_costs: none(), events: none() },
  };
}

async function isReady(machine: Machine, ms: number): Promise<void> {
  let why: string | undefined;
  await until(`${machine.name} is ready`, async () => (why = await machine.notReady()) === undefined, ms).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}: ${why ?? ''}`);
    },
  );
}

/** The clients get on. */
async function goesOn(load: Load): Promise<void> {
  const before = load.acknowledged();
  const isOn = (): boolean => {
    load.require();
    return load.acknowledged() >= before + GOES_ON;
  };
  await until('requests are acknowledged', isOn, RECOVERY_MS);
}

function createScene(
  machines: readonly Machine[],
  stores: Stores,
  { deps, stores: direct }: Service,
  load: Load,
): Scene {
  const memory = async (field: string): Promise<number> =>
    Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(await direct.redis.info('memory'))?.[1]);
  let usual: number | undefined;
  return {
    machines,
    stores,
    async limitMemory(extraBytes) {
      usual ??= await memory('maxmemory');
      const limit = extraBytes === 0 ? usual : Math.ceil((((await memory('used_memory')) + extraBytes) * 4) / 3);
      await askRedis(stores.engines.redis, (redis) => redis.config('SET', 'maxmemory', limit), 5_000);
    },
    async untilRefused() {
      const before = load.refused();
      const isRefused = (): boolean => {
        load.require();
        return load.refused() > before + REFUSED;
      };
      await until('writes are refused', isRefused, RECOVERY_MS);
    },
    async untilDrained() {
      const isDrained = async (): Promise<boolean> => {
        const counts = await Promise.all(QUEUES.map((name) => deps.producer.counts(name)));
        return counts.every(({ waiting = 0, delayed = 0 }) => waiting + delayed === 0);
      };
      await until('the queues are drained', isDrained, RECOVERY_MS);
    },
  };
}
