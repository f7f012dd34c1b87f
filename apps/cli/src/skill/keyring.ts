import { join } from 'node:path';
import { CREDENTIALS_VARIABLE, type CredentialStore, type Keyring, openKeyring, readEnvironment } from '@parley/skills';
import { parleyHome } from '../account/home.ts';

export const openSkillKeyring = (): Keyring => openKeyring(join(parleyHome(), 'skills.json'));

/** Takes credentials from the environment, otherwise from the keyring, but never from arguments, which everyone can read. */
export function openCredentials(): CredentialStore {
  return process.env[CREDENTIALS_VARIABLE] ? readEnvironment(process.env) : openSkillKeyring();
}
