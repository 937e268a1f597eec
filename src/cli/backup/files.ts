import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, createGzip, gunzip, gzip } from 'node:zlib';

/** Size and checksum of a file as it lies on the disk. */
export interface Written {
  bytes: number;
  sha256: string;
}

const compress = promisify(gzip);
const uncompress = promisify(gunzip);
/** Takes half the time of the default level, for a tenth more bytes. */
const LEVEL = 1;

/** Makes the folder if it is missing. False if it is not empty. */
export async function makeFolder(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return (await readdir(folder)).length === 0;
}

/** Writes a new file that only its owner can read. It is safely on the disk when this resolves. */
export async function writeFileWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function writeCompressed(path: string, bytes: Buffer): Promise<Written> {
  const packed = await compress(bytes, { level: LEVEL });
  await writeFileWhole(path, packed);
  return { bytes: packed.length, sha256: createHash('sha256').update(packed).digest('hex') };
}

export async function readCompressed(path: string): Promise<Buffer> {
  return uncompress(await readFile(path));
}

/** {@link readCompressed}; throws a RangeError if the file is not the one that was written. */
export async function readIntact(path: string, { sha256 }: Written): Promise<Buffer> {
  const packed = await readFile(path);
  if (createHash('sha256').update(packed).digest('hex') !== sha256) throw new RangeError(`${path} is damaged`);
  return uncompress(packed);
}

/** Writes one JSON value per line, compressed, with only a few of them in memory. */
export async function writeLines(path: string, values: AsyncIterable<unknown>): Promise<Written & { entries: number }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let [entries, bytes] = [0, 0];
  await pipeline(
    async function* () {
      for await (const value of values) {
        entries++;
        yield `${JSON.stringify(value)}\n`;
      }
    },
    createGzip({ level: LEVEL }),
    async function* (packed: AsyncIterable<Buffer>) {
      for await (const piece of packed) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    handle.createWriteStream({ flush: true }),
  );
  return { entries, bytes, sha256: hash.digest('hex') };
}

export async function* readLines(path: string): AsyncGenerator {
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()), crlfDelay: Infinity });
  for await (const line of lines) yield JSON.parse(line);
}

/** Whether a file is the one that was written. Throws if it is missing. */
export async function isIntact(path: string, { bytes, sha256 }: Written): Promise<boolean> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    read += piece.length;
  }
  return read === bytes && hash.digest('hex') === sha256;
}

/** Deletes all that the folder holds. */
export async function clearFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
