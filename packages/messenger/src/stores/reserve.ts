import { randomBytes } from 'node:crypto';
import { closeSync, constants, ftruncateSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Disk, isOutOfSpace, openPrivate, syncData } from './disk.ts';

/**
 * A file that only takes up space, until the disk is full: then it gives its space to what is already under way, such
 * as the record of a call that has run (CG-16).
 */
export interface Reserve {
  isWhole(): boolean;
  /** Returns false if there was none to give up. */
  release(): boolean;
  /** Makes it again if there is room. Until then `isWhole` is false. */
  restore(): Promise<void>;
}

export const RESERVE = 1 << 19;

export function openReserve(folder: string, disk: Disk): Reserve {
  const file = join(folder, 'reserve');
  let isWhole = statSync(file, { throwIfNoEntry: false })?.size === RESERVE;
  let making: Promise<void> | undefined;
  /** Since it was begun to be made. */
  let isGivenUp = false;
  const release = (): boolean => {
    const had = isWhole;
    rmSync(file, { force: true });
    isWhole = false;
    isGivenUp = true;
    return had;
  };
  const make = async (): Promise<void> => {
    isGivenUp = false;
    rmSync(file, { force: true });
    const descriptor = openPrivate(file, constants.O_EXCL);
    try {
      // Not zeros, which some file systems store as nothing. Twice as much has to fit, or it would be needed at once.
      disk.write(descriptor, randomBytes(2 * RESERVE));
      ftruncateSync(descriptor, RESERVE);
      await syncData(descriptor);
      isWhole = !isGivenUp;
    } catch (error) {
      rmSync(file, { force: true });
      if (!isOutOfSpace(error)) throw error;
    } finally {
      closeSync(descriptor);
    }
  };
  return {
    isWhole: () => isWhole,
    release,
    restore: () => {
      making ??= make().finally(() => {
        making = undefined;
      });
      return making;
    },
  };
}
