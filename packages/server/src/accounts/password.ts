import { hash, verify } from '@node-rs/argon2';
import { makeSecret } from '../auth/secret.ts';
import type { PasswordCost } from '../config.ts';
import { createHashQueue, type HashQueue } from './hash-queue.ts';

/** `network` is that of someone who has not proved who they are: such work waits in turns (OP-3). */
export interface Passwords {
  hash(password: string, network?: string): Promise<string>;
  /** Takes as long for an account that does not exist, or has no password, as for one that has. */
  check(stored: string | null | undefined, password: string, network?: string): Promise<boolean>;
}

interface PasswordOptions {
  readonly cost?: PasswordCost | undefined;
  readonly compare?: (stored: string, password: string) => Promise<boolean>;
  readonly queue?: HashQueue;
}

/** The minimum that OWASP recommends. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

export function createPasswords(options: PasswordOptions = {}): Passwords {
  const { cost = COST, compare = verify, queue = createHashQueue() } = options;
  // Argon2id is the library's default.
  const hashPassword = (password: string) => hash(normalise(password), { ...cost, parallelism: 1 });
  let nobody: Promise<string> | undefined;
  return {
    hash: (password, network) => queue.run(() => hashPassword(password), network),
    check: async (stored, password, network) => {
      nobody ??= hashPassword(makeSecret());
      const expected = stored ?? (await nobody);
      const right = await queue.run(() => compare(expected, normalise(password)), network);
      return right && typeof stored === 'string';
    },
  };
}

/** Two keyboards may spell one password differently (NIST SP 800-63B, 3.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}
