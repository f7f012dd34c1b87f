import { hash, verify } from '@node-rs/argon2';
import { makeSecret } from './secret.ts';

/** Argon2id, the library's default, with OWASP's least settings for it. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
let nobody: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), COST);
}

/** Works as long for an account that does not exist, or has no password, as for one that does. */
export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword(makeSecret());
  const right = await verify(stored ?? (await nobody), normalise(password));
  return right && typeof stored === 'string';
}

/** Two keyboards may spell one password differently (NIST SP 800-63B, 3.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}
