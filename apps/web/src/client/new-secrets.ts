import { createObservable, type Readable } from '@parley/base';
import type { NewSecret } from '@parley/client';

interface ShownSecret extends NewSecret {
  /** What comes next, when the person says that they saved it. */
  readonly onSaved?: () => void;
}

const waiting = createObservable<readonly ShownSecret[]>([]);

/**
 * Holds secrets that were created on this device and not shown yet, in memory only. They are not of the page that made
 * them: whoever goes back or elsewhere would lose what nobody can show again (WC-63).
 */
export const newSecrets: Readable<readonly ShownSecret[]> = waiting;

export const showSecret = (secret: ShownSecret): void => waiting.set([...waiting.getSnapshot(), secret]);

export function dropSecret(secret: ShownSecret): void {
  waiting.set(waiting.getSnapshot().filter((one) => one !== secret));
  secret.onSaved?.();
}

/** Another account is signed in: nobody said that they saved anything, so that nothing comes next. */
export const forgetSecrets = (): void => waiting.set([]);
