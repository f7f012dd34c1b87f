import { type Authenticate, readBearer } from './caller.ts';

/** A key as a provider stores it: its owner and its hash. */
export interface ApiKey {
  readonly caller: string;
  /** Hexadecimal. The key must have at least 128 random bits: a fast hash does not protect a password. */
  readonly sha256: string;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Creates a key, which is shown to its caller once and stored by its hash. */
export async function createApiKey(caller: string): Promise<{ readonly key: string; readonly entry: ApiKey }> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const key = `psk_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return { key, entry: { caller, sha256: await hash(key) } };
}

/** Checks the key in the header that `auth` names, or as a bearer token, which is how an index is read. */
export function createKeyCheck(header: string, keys: readonly ApiKey[]): Authenticate {
  for (const { caller, sha256 } of keys) {
    if (caller === '') throw new TypeError('apiKeys: caller must not be empty');
    if (!SHA256.test(sha256)) throw new TypeError('apiKeys: sha256 must be 64 hexadecimal digits');
  }
  return async (request) => {
    const key = request.headers.get(header) ?? readBearer(request);
    if (key === null || key === undefined || key === '') return undefined;
    const presented = await hash(key);
    let found: string | undefined;
    // It compares all of them, so that the time does not reveal which one matched.
    for (const { caller, sha256 } of keys) if (equal(sha256, presented)) found = caller;
    return found === undefined ? undefined : { id: found };
  };
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares in constant time if the texts have the same length. */
function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
