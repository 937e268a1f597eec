import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { readIfThere, syncFolder } from '../../files.js';
import { QUEUES } from '../../queue/jobs.js';
import { validator } from '../../schemas/validator.js';
import { parseJson } from '../parse-json.js';
import { writeFileWhole } from './files.js';

/** Version of the folder's format. */
export const FORMAT = 3;
const NAME = 'manifest.json';
/** Restored last: without keys no request is accepted, so nothing is written during the restore. Always written whole. */
export const KEYS = 'api_keys';

/** A backup or restore that can't be done; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Written = { bytes: Count, sha256: Sha256 };
const Chunks = Type.Array(Type.Object({ rows: Count, ...Written }));
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' });
const Shard = Type.Integer({ minimum: 1 });
const Digits = Type.String({ pattern: '^[0-9]+$' });
const PartHash = Type.String({ pattern: '^[0-9a-f]{32}$' });

/** The file that describes a backup. It is written last: a folder without it is no backup. */
const ManifestSchema = Type.Object(
  {
    format: Type.Integer({ minimum: FORMAT, maximum: FORMAT }),
    id: Type.String({ minLength: 1, maxLength: 64 }),
    made_at: Type.String({ format: 'date-time' }),
    /** Id of the warehouse. */
    deployment: Type.String(),
    /** The backup that this one is an increment of, in a folder next to it, and the checksum of its manifest; absent: none. */
    base: Type.Optional(Type.Object({ id: Type.String(), folder: Type.String(), sha256: Sha256 })),
    release: Type.String(),
    /** Applied migrations with their checksums. */
    migrations: Type.Record(Type.String(), Type.String()),
    /** Number of shards; absent: one server. */
    shards: Type.Optional(Shard),
    /** The newest arrival stamp. */
    stamp: Count,
    tables: Type.Array(
      Type.Object({
        name: Name,
        /** The shard that had these rows; absent: the first. */
        shard: Type.Optional(Shard),
        /** Number of rows, replaced ones that are not merged yet among them, and the sum of their hashes. */
        rows: Digits,
        hash: Digits,
        /** All rows; of an increment those that the base has not, or not as often. */
        chunks: Chunks,
        /** The engine's hash of each part of the table, and the numbers of the lists that have its rows together. */
        parts: Type.Array(Type.Object({ hash: PartHash, lists: Type.Array(Count) })),
        /** The highest number that a list of this backup or of those before it has. */
        lists: Count,
        /** Lists of rows by their hashes that no earlier backup has. */
        list: Chunks,
        /** Hashes of rows of the backups before that count no more unless they are in the chunks; all others do. */
        gone: Chunks,
        is_increment: Type.Optional(Type.Boolean()),
      }),
    ),
    queues: Type.Array(Type.Object({ name: Type.Enum([...QUEUES]), entries: Count, ...Written })),
    state: Type.Array(
      Type.Object({
        name: Type.Enum(['reservations', 'rebuild_queue', 'keys_used']),
        entries: Count,
        ...Written,
      }),
    ),
  },
  { additionalProperties: false },
);

export type Manifest = Static<typeof ManifestSchema>;
export type BackedUpTable = Manifest['tables'][number];

const manifests = validator(ManifestSchema, 'The manifest');

type Part = Pick<BackedUpTable, 'name' | 'shard'>;
const nativeFile = (folder: string, { name, shard = 1 }: Part, index: number): string =>
  join(shard === 1 ? folder : `${folder}-${shard}`, name, `${String(index + 1).padStart(6, '0')}.native.gz`);
export const chunkFile = (part: Part, index: number): string => nativeFile('tables', part, index);
export const listFile = (part: Part, index: number): string => nativeFile('lists', part, index);
export const goneFile = (part: Part, index: number): string => nativeFile('gone', part, index);
export const queueFile = (queue: string): string => join('queues', `${queue}.ndjson.gz`);
export const stateFile = (name: string): string => join('state', `${name}.ndjson.gz`);

/** Every other file of the backup, with its size and checksum. */
export function filesOf({ tables, queues, state }: Manifest): { file: string; bytes: number; sha256: string }[] {
  return [
    ...tables.flatMap((table) => table.chunks.map((chunk, i) => ({ ...chunk, file: chunkFile(table, i) }))),
    ...tables.flatMap((table) => table.list.map((slice, i) => ({ ...slice, file: listFile(table, i) }))),
    ...tables.flatMap((table) => table.gone.map((slice, i) => ({ ...slice, file: goneFile(table, i) }))),
    ...queues.map((queue) => ({ ...queue, file: queueFile(queue.name) })),
    ...state.map((part) => ({ ...part, file: stateFile(part.name) })),
  ];
}

/** Writes the manifest in one step, which makes the folder a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = join(folder, `${NAME}.tmp`);
  await writeFileWhole(draft, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await rename(draft, join(folder, NAME));
  await syncFolder(folder);
}

/** Throws a {@link BackupError} unless the folder is a complete backup of a known format. */
export const readManifest = async (folder: string): Promise<Manifest> => (await readManifestFile(folder)).manifest;

/** {@link readManifest} with the checksum of its file. */
export async function readManifestFile(folder: string): Promise<{ manifest: Manifest; sha256: string }> {
  const file = join(folder, NAME);
  const text = await readIfThere(file);
  if (text === undefined)
    throw new BackupError(`${folder} holds no whole backup: ${NAME}, which is written last, is not there`);
  const manifest = parseJson(text);
  if (manifests.is(manifest)) return { manifest, sha256: createHash('sha256').update(text).digest('hex') };
  const { format } = Object(manifest) as { format?: unknown };
  if (typeof format === 'number' && format !== FORMAT) {
    throw new BackupError(`${file} is of ${format > FORMAT ? 'a later' : 'an earlier'} release: restore it with that`);
  }
  throw new BackupError(`${file} is damaged: ${manifests.check(manifest, 1)[0]?.message ?? 'it is no JSON'}`);
}
