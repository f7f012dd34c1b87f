import { createObservable, type Readable } from '@parley/base';
import type { NewSecret } from '@parley/client';

const waiting = createObservable<readonly NewSecret[]>([]);

/** Holds secrets that were created on this device and not shown yet, in memory only. */
export const newSecrets: Readable<readonly NewSecret[]> = waiting;

export const showSecret = (secret: NewSecret): void => waiting.set([...waiting.getSnapshot(), secret]);
export const dropSecret = (secret: NewSecret): void =>
  waiting.set(waiting.getSnapshot().filter((one) => one !== secret));
