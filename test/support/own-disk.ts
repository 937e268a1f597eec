import { execFileSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';

/** A disk in memory that a folder lies on, whose free room can be set. */
export interface OwnDisk {
  /** From now on so many bytes fit, or the least more that can be. */
  leave(bytes: number): Promise<void>;
  empty(): Promise<void>;
  remove(): void;
}

const DISK_BYTES = 4 * 1024 ** 3;
/** What is written within moments. */
export const LEFT_BYTES = 256 * 1024;

/** Throws where this user may not mount: a full disk can't be had without one of its own. */
export function mountDisk(at: string): OwnDisk {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', at], { stdio: 'pipe' });
  } catch (cause) {
    throw new Error('no disk could be mounted: run this as root on Linux, or in a container with SYS_ADMIN', { cause });
  }
  const leave = async (bytes: number): Promise<void> => {
    // It can't become smaller than what it holds by then.
    for (let leftBytes = bytes; ; leftBytes *= 2) {
      const { blocks, bfree, bsize } = await statfs(at);
      const size = Math.min(DISK_BYTES, (blocks - bfree) * bsize + leftBytes);
      try {
        execFileSync('mount', ['-o', `remount,size=${size}`, at], { stdio: 'pipe' });
        return;
      } catch (error) {
        if (leftBytes > DISK_BYTES) throw error;
      }
    }
  };
  return { leave, empty: () => leave(DISK_BYTES), remove: () => void execFileSync('umount', ['-l', at]) };
}
