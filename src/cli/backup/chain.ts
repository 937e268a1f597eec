import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BackupError, filesOf, readManifest, readManifestFile, type BackedUpTable, type Manifest } from './manifest.js';

/** A backup, or one of those that it is an increment of. */
export interface Link {
  folder: string;
  manifest: Manifest;
  /** Of the file of the manifest. */
  sha256: string;
}

/** What the backups of a chain wrote of a table of a shard: from the last one that wrote all rows. Nothing if none did. */
export function partsOf(
  chain: readonly Link[],
  { name, shard }: Pick<BackedUpTable, 'name' | 'shard'>,
): { folder: string; part: BackedUpTable }[] {
  const parts = chain.flatMap(({ folder, manifest }) =>
    manifest.tables
      .filter((table) => table.name === name && (table.shard ?? 1) === shard)
      .map((part) => ({ folder, part })),
  );
  const first = parts.findLastIndex(({ part }) => part.is_increment !== true);
  return first === -1 ? [] : parts.slice(first);
}

/** The backup of a folder after all that it is an increment of, the whole one first. Throws a {@link BackupError} if one is missing. */
export async function readChain(folder: string): Promise<Link[]> {
  const own = { folder, ...(await readManifestFile(folder)) };
  const { base } = own.manifest;
  if (base === undefined) return [own];
  const found = await findBase(folder, base);
  const chain = await readChain(found);
  if (chain.at(-1)?.sha256 !== base.sha256)
    throw new BackupError(`${join(found, 'manifest.json')} is not what it was when its increment ${folder} was made`);
  return [...chain, own];
}

/** The folder of a base, which lies next to its increment, whatever its name is by now. */
async function findBase(folder: string, base: NonNullable<Manifest['base']>): Promise<string> {
  const beside = dirname(folder);
  const entries = await readdir(beside, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort((a, b) => Number(b === base.folder) - Number(a === base.folder))) {
    const id = await readManifest(join(beside, name)).then(
      (manifest) => manifest.id,
      (error: unknown) => {
        // What is wrong with others is of no interest.
        if (name === base.folder) throw error;
      },
    );
    if (id === base.id) return join(beside, name);
  }
  throw new BackupError(
    `${folder} is an increment of the backup "${base.folder}", which is not beside it: put that into ${beside}`,
  );
}

/** The backups that an increment goes on from, or why it can't. */
export interface Base {
  chain: readonly Link[];
  /** Says why all is written instead; absent: it need not. */
  whyWhole?: string;
}

/** Throws a {@link BackupError} if the base is not one of this deployment, is not whole, or does not lie next to the new folder. */
export async function openBase(
  since: string,
  folder: string,
  here: Pick<Manifest, 'migrations'> & { deployment: string; shards: number },
): Promise<Base> {
  if (dirname(since) !== dirname(folder))
    throw new BackupError(`an increment lies beside its base, where a restore looks for it: in ${dirname(since)}`);
  const chain = await readChain(since);
  const { manifest } = chain.at(-1) ?? {};
  if (manifest === undefined) throw new RangeError('a chain has a backup');
  if (manifest.deployment !== here.deployment)
    throw new BackupError(`${since} is of another deployment: without --since all of this one is written`);
  for (const link of chain) await requireFiles(link);
  const whyWhole = whyNot(basename(since), manifest, here);
  return { chain, ...(whyWhole !== undefined && { whyWhole }) };
}

function whyNot(
  name: string,
  base: Manifest,
  here: Pick<Manifest, 'migrations'> & { shards: number },
): string | undefined {
  if ((base.shards ?? 1) !== here.shards) return `${name} is of another number of shards`;
  const names = new Set([...Object.keys(base.migrations), ...Object.keys(here.migrations)]);
  if ([...names].some((file) => base.migrations[file] !== here.migrations[file]))
    return `${name} is of other tables, from before an upgrade`;
  return undefined;
}

/** Finds files that are missing or cut; a restore compares their checksums too. */
async function requireFiles({ folder, manifest }: Link): Promise<void> {
  for (const { file, bytes } of filesOf(manifest)) {
    const path = join(folder, file);
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size !== bytes) throw new BackupError(`${path} is damaged: it is not what the backup wrote`);
  }
}
