import { join } from 'node:path';
import { CREDENTIALS_VARIABLE, type CredentialStore, type Keyring, openKeyring, readEnvironment } from '@parley/skills';
import { parleyHome } from '../account/home.ts';

export const openSkillKeyring = (): Keyring => openKeyring(join(parleyHome(), 'skills.json'));

/** The environment's where it has any, else those of the keyring. Never from arguments: everyone can read those. */
export function openCredentials(): CredentialStore {
  return process.env[CREDENTIALS_VARIABLE] ? readEnvironment(process.env) : openSkillKeyring();
}
