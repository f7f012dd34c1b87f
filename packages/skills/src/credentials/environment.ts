import { keyringError } from '../errors.ts';
import { readCredentials } from './read.ts';
import { type CredentialStore, type OriginCredentials, withTokens } from './store.ts';

/** Holds JSON that maps an origin to its credentials, as in a keyring file. */
export const CREDENTIALS_VARIABLE = 'PARLEY_SKILL_CREDENTIALS';

/** Reads credentials from the environment. Tokens that are granted later are kept in memory. */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): CredentialStore {
  const text = environment[CREDENTIALS_VARIABLE];
  const read = text === undefined || text === '' ? {} : readCredentials(text);
  if (read === undefined) throw keyringError('KEYRING_INVALID', { params: { source: CREDENTIALS_VARIABLE } });
  const held = new Map<string, OriginCredentials>(Object.entries(read));
  return {
    find: async (origin) => held.get(origin),
    saveTokens: async (origin, tokens, tokenUrl) => {
      const updated = withTokens(held.get(origin), tokens, tokenUrl);
      if (updated !== undefined) held.set(origin, updated);
      return updated !== undefined;
    },
  };
}
