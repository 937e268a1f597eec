import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { QUEUES } from '../../queue/jobs.js';
import { validator } from '../../schemas/validator.js';
import { syncFolder, writeFileWhole } from './files.js';

/** The form of the folder. */
export const FORMAT = 2;
const NAME = 'manifest.json';

/** A backup that can't be used; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const Count = Type.Integer({ minimum: 0 });
const Written = { bytes: Count, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) };
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' });
const Shard = Type.Integer({ minimum: 1 });
const Digits = Type.String({ pattern: '^[0-9]+$' });

/** What the file at the top of a backup says. It is written last: a folder without it holds no backup. */
const ManifestSchema = Type.Object(
  {
    format: Type.Integer({ minimum: 1, maximum: FORMAT }),
    id: Type.String({ minLength: 1, maxLength: 64 }),
    made_at: Type.String({ format: 'timestamp' }),
    release: Type.String(),
    /** Files that brought the database to its form, with their checksums. */
    migrations: Type.Record(Type.String(), Type.String()),
    /** Over how many the rows were spread; absent: one server, as in every backup of format 1. */
    shards: Type.Optional(Shard),
    /** The newest arrival stamp. */
    stamp: Count,
    tables: Type.Array(
      Type.Object({
        name: Name,
        /** Whose rows these are; absent: of the first. */
        shard: Type.Optional(Shard),
        /** Rows that count, and the sum of their hashes. */
        rows: Digits,
        hash: Digits,
        chunks: Type.Array(Type.Object({ rows: Count, ...Written })),
      }),
    ),
    queues: Type.Array(Type.Object({ name: Type.Enum([...QUEUES]), entries: Count, ...Written })),
    state: Type.Array(
      Type.Object({
        name: Type.Enum(['reservations', 'marks', 'keys_used']),
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

export const chunkFile = ({ name, shard = 1 }: Pick<BackedUpTable, 'name' | 'shard'>, index: number): string =>
  join(shard === 1 ? 'tables' : `tables-${shard}`, name, `${String(index + 1).padStart(6, '0')}.native.gz`);
export const queueFile = (queue: string): string => join('queues', `${queue}.ndjson.gz`);
export const stateFile = (name: string): string => join('state', `${name}.ndjson.gz`);

/** Every file beside the manifest, with what it must be. */
export function filesOf({ tables, queues, state }: Manifest): { file: string; bytes: number; sha256: string }[] {
  return [
    ...tables.flatMap((table) => table.chunks.map((chunk, i) => ({ ...chunk, file: chunkFile(table, i) }))),
    ...queues.map((queue) => ({ ...queue, file: queueFile(queue.name) })),
    ...state.map((part) => ({ ...part, file: stateFile(part.name) })),
  ];
}

/** Makes the folder a backup, at once. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = join(folder, `${NAME}.tmp`);
  await writeFileWhole(draft, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await rename(draft, join(folder, NAME));
  await syncFolder(folder);
}

/** Throws a {@link BackupError} when the folder is no whole backup of this form. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, NAME);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupError(`${folder} holds no whole backup: ${NAME}, which is written last, is not there`);
  });
  const manifest = parse(text);
  if (manifests.is(manifest)) return manifest;
  const { format } = Object(manifest) as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupError(`${file} is of a later release: restore it with that`);
  }
  throw new BackupError(`${file} is damaged: ${manifests.check(manifest, 1)[0]?.message ?? 'it is no JSON'}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
