import { hash, verify } from '@node-rs/argon2';
import { makeSecret } from '../auth/secret.ts';
import type { PasswordCost } from '../config.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long for an account that does not exist, or has no password, as for one that has. */
  check(stored: string | null | undefined, password: string): Promise<boolean>;
}

interface PasswordOptions {
  readonly cost?: PasswordCost | undefined;
  readonly compare?: (stored: string, password: string) => Promise<boolean>;
}

/** The minimum that OWASP recommends. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

export function createPasswords({ cost = COST, compare = verify }: PasswordOptions = {}): Passwords {
  // Argon2id is the library's default.
  const hashPassword = (password: string) => hash(normalise(password), { ...cost, parallelism: 1 });
  let nobody: Promise<string> | undefined;
  return {
    hash: hashPassword,
    check: async (stored, password) => {
      nobody ??= hashPassword(makeSecret());
      const right = await compare(stored ?? (await nobody), normalise(password));
      return right && typeof stored === 'string';
    },
  };
}

/** Two keyboards may spell one password differently (NIST SP 800-63B, 3.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}
