import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A folder whose disk can be filled. */
export interface SmallDisk {
  /** Only a disk of its own is really full; without one, nothing new can be written at the top of the folder. */
  readonly isReal: boolean;
  fill(): void;
  free(): void;
  remove(): void;
}

/** Mounts a small disk at the folder, which only root may. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  const filler = join(folder, 'filler');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return {
      isReal: false,
      fill: () => chmodSync(folder, 0o500),
      free: () => chmodSync(folder, 0o700),
      remove: () => {},
    };
  }
  return {
    isReal: true,
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (let block = Buffer.alloc(1024 * 1024, 1); block.length > 0; ) {
          try {
            writeSync(file, block);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            block = block.subarray(0, Math.floor(block.length / 2));
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync('umount', ['-l', folder], { stdio: 'pipe' }),
  };
}
