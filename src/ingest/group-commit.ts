import { randomUUID } from 'node:crypto';
import type { IngestHeader } from '../domain/ingest.js';
import type { ShardOf } from '../domain/shard-of.js';
import { unavailable } from '../errors.js';
import { JOB_SCHEMA, jobKey, type GroupJob, type NewJob, type QueueName } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import { packParts } from '../queue/segments.js';

/** What one push adds, as far as it is known before its commit. */
export interface Load {
  /** Rows; a push without any counts as one. */
  rows: number;
  bytes: number;
}

/** A slot in a job that is still open. The job waits for it, so it must be held briefly. */
export interface Slot<Push, Outcome = void> {
  readonly jobId: string;
  /** Redis key of the job, which is there once a push of it is committed. */
  readonly jobKey: string;
  /**
   * Adds the push to the job, with one segment of rows per table, which must not change before this settles. Resolves once
   * Redis holds the job; throws `queue_unavailable` when that is not certain.
   */
  commit(push: Push, segments: readonly Buffer[]): Promise<Outcome>;
  /** Releases the slot. Does nothing after {@link commit}. */
  release(): void;
}

export interface GroupCommit<Push, Outcome = void> {
  /** A slot for a push of the shop. Throws `queue_unavailable` while too much waits for Redis. */
  openSlot(shopId: string, load: Load): Slot<Push, Outcome>;
  /** {@link openSlot} and commit at once. */
  add(push: Push, segments: readonly Buffer[], rows: number): Promise<Outcome>;
}

export interface GroupCommitOptions<Push, Outcome> {
  queue: QueueName;
  /** Puts a job into the queue, and gives what came of each of its pushes. */
  send: (jobId: string, job: NewJob<GroupJob<Push>>) => Promise<(push: number) => Outcome>;
  /** Pushes of one shard share a job, so that no job waits for two; absent: there is one shard. */
  shardOf?: ShardOf;
  /** Of each table, what comes before its rows; see `segments.ts`. */
  heads: readonly Buffer[];
  /** Joins pushes of one key in one entry of the job. */
  merge?: { keyOf: (push: Push) => string; into: (entry: Push, push: Push) => void };
}

/** A job takes no further push beyond these; the push that passes them is taken whole. */
const JOB_BYTES = 1024 * 1024;
const JOB_ROWS = 2_500;
/** Jobs on their way at once: while Redis puts one on the disk, the next is compressed and sent. */
const WRITES = 2;
/** Most bytes of rows that wait while Redis is slow; past it, pushes are refused. */
const WAITING_BYTES = 32 * 1024 * 1024;

interface Entry<Push> {
  /** Among those of its job. */
  index: number;
  push: Push;
  /** Its rows, by table. */
  rows: Buffer[][];
}

/** A job that is gathered while those before it are written. */
interface Group<Push, Outcome> {
  jobId: string;
  shard: number;
  entries: Entry<Push>[];
  byKey: Map<string, Entry<Push>>;
  load: Load;
  /** Slots that are neither committed nor released. */
  undecided: number;
  isClosed: boolean;
  done: Promise<(push: number) => Outcome>;
  settle: (sent: Promise<(push: number) => Outcome>) => void;
}

/**
 * The one way into the queue: whatever arrived while the previous writes were under way goes as one job. Under load that is
 * one write for many pushes of many shops; alone, a push waits for nothing but its own.
 */
export function createGroupCommit<Push extends { header: Pick<IngestHeader, 'shop_id'> }>({
  producer,
  ...options
}: Omit<GroupCommitOptions<Push, void>, 'send'> & { producer: Pick<Producer, 'add'> }): GroupCommit<Push> {
  return openGroupCommit({
    ...options,
    async send(jobId, job: NewJob<GroupJob<Push>>) {
      await producer.add(options.queue, jobId, job);
      return () => undefined;
    },
  });
}

/** The same, of pushes of which more is known once they are queued. */
export function openGroupCommit<Push extends { header: Pick<IngestHeader, 'shop_id'> }, Outcome>(
  options: GroupCommitOptions<Push, Outcome>,
): GroupCommit<Push, Outcome> {
  const { send, queue, shardOf = () => 0, heads, merge } = options;
  /** In the order in which they were begun. */
  const groups: Group<Push, Outcome>[] = [];
  let writes = 0;
  let waitingBytes = 0;
  let isScheduled = false;

  const groupFor = (shard: number, { bytes }: Load): Group<Push, Outcome> => {
    if (waitingBytes + bytes > WAITING_BYTES) {
      throw unavailable('queue_unavailable', 'The queue is too slow; nothing was taken. Send the request again later.');
    }
    const last = groups.findLast((group) => group.shard === shard);
    if (last !== undefined && !last.isClosed && last.load.bytes < JOB_BYTES && last.load.rows < JOB_ROWS) return last;
    const group = openGroup<Push, Outcome>(shard);
    groups.push(group);
    return group;
  };

  /** Sends what is ready, unless enough is on its way. */
  const depart = (): void => {
    while (writes < WRITES) {
      const next = groups.find(({ undecided, entries }) => undecided === 0 && entries.length > 0);
      if (next === undefined) break;
      groups.splice(groups.indexOf(next), 1);
      void write(next);
    }
    // The oldest job with pushes opens no more slots, so that it cannot wait for ever.
    const held = writes < WRITES ? groups.find(({ entries }) => entries.length > 0) : undefined;
    if (held !== undefined) held.isClosed = true;
  };

  /** In the next turn: what arrives in one goes together. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      depart();
    });
  };

  const write = async ({ jobId, entries, load, settle }: Group<Push, Outcome>): Promise<void> => {
    writes++;
    const sendRows = async () => {
      const rows = await packParts(
        heads.flatMap((head, i) => [[head], entries.flatMap((entry) => entry.rows[i] ?? [])]),
      );
      return send(jobId, toJob(entries, rows));
    };
    const sent = sendRows();
    settle(sent);
    await sent.catch(() => undefined);
    writes--;
    waitingBytes -= load.bytes;
    schedule();
  };

  /** Gives which push of the job it is. */
  const take = (group: Group<Push, Outcome>, push: Push, segments: readonly Buffer[]): number => {
    const known = merge === undefined ? undefined : group.byKey.get(merge.keyOf(push));
    if (known !== undefined && merge !== undefined) {
      merge.into(known.push, push);
      segments.forEach((segment, i) => known.rows[i]?.push(segment));
      return known.index;
    }
    const entry: Entry<Push> = { index: group.entries.length, push, rows: segments.map((segment) => [segment]) };
    group.entries.push(entry);
    if (merge !== undefined) group.byKey.set(merge.keyOf(push), entry);
    return entry.index;
  };

  const openSlot = (shopId: string, load: Load): Slot<Push, Outcome> => {
    const rows = Math.max(1, load.rows);
    const group = groupFor(shardOf(shopId), load);
    let isDecided = false;
    group.undecided++;
    group.load.rows += rows;
    group.load.bytes += load.bytes;
    waitingBytes += load.bytes;
    const decide = (): void => {
      isDecided = true;
      group.undecided--;
      schedule();
    };
    return {
      jobId: group.jobId,
      jobKey: jobKey(queue, group.jobId),
      commit(push, segments) {
        if (isDecided) throw new Error('a slot is used once');
        const index = take(group, push, segments);
        const more = Math.max(0, bytesOf(segments) - load.bytes);
        group.load.bytes += more;
        waitingBytes += more;
        decide();
        return group.done.then((outcomeOf) => outcomeOf(index));
      },
      release() {
        if (isDecided) return;
        decide();
        group.load.rows -= rows;
        group.load.bytes -= load.bytes;
        waitingBytes -= load.bytes;
      },
    };
  };

  return {
    openSlot,
    add: (push, segments, rows) =>
      openSlot(push.header.shop_id, { rows, bytes: bytesOf(segments) }).commit(push, segments),
  };
}

const bytesOf = (segments: readonly Buffer[]): number => segments.reduce((sum, { length }) => sum + length, 0);

function openGroup<Push, Outcome>(shard: number): Group<Push, Outcome> {
  let settle: Group<Push, Outcome>['settle'] = () => undefined;
  const done = new Promise<(push: number) => Outcome>((resolve) => (settle = resolve));
  const load = { rows: 0, bytes: 0 };
  return {
    jobId: randomUUID(),
    shard,
    entries: [],
    byKey: new Map(),
    load,
    undecided: 0,
    isClosed: false,
    done,
    settle,
  };
}

/** The rows of a push stand together, so that a worker can tell them from its neighbours'. */
function toJob<Push>(entries: readonly Entry<Push>[], packed: Buffer): NewJob<GroupJob<Push>> {
  const pushes = entries.map(({ push, rows }) => ({ ...push, bytes: rows.map(bytesOf) }));
  return { schema: JOB_SCHEMA, pushes, rows: packed };
}
