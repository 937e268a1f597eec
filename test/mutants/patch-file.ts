import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fault that is planted on purpose, and what notices it. */
export interface Mutant {
  name: string;
  /** Where the patch stands. */
  path: string;
  /** What is wrong then. */
  fault: string;
  noticedBy: { kind: 'simulation'; seed: number } | { kind: 'test'; file: string };
}

const HEAD = /^(?<fault>[^]*?)\nnoticed by: (?:simulation, seed (?<seed>\d+)|(?<file>test\/\S+\.test\.ts))\n/;

/** The mutants of a folder: patches with a head that says what the fault is, and who notices it. */
export function readMutants(folder: string): Mutant[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.patch'));
  return names.sort().map((name) => {
    const path = join(folder, name);
    const { fault = '', seed, file = '' } = HEAD.exec(readFileSync(path, 'utf8'))?.groups ?? {};
    if (fault === '') throw new Error(`${path} does not say what the fault is, and who notices it`);
    return {
      name: name.slice(0, -'.patch'.length),
      path,
      fault,
      noticedBy: seed === undefined ? { kind: 'test', file } : { kind: 'simulation', seed: Number(seed) },
    };
  });
}

/** The text of a patch with another seed. */
export function withSeed(text: string, seed: number): string {
  return text.replace(/^noticed by: simulation, seed \d+$/m, `noticed by: simulation, seed ${seed}`);
}
