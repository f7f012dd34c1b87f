import { existsSync } from 'node:fs';
import type { SkillDescriptor } from '@parley/documents/skill';
import { skillRoutes } from '@parley/protocol';
import { createSkillClient, type SkillClient } from '@parley/skills';
import { openApi } from '../account/api.ts';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-code.ts';
import { STDIN } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { explainSkill } from './explain.ts';
import { openCredentials } from './keyring.ts';
import { loadSkill } from './load.ts';

export interface SourceOptions {
  readonly url?: string;
  /** By default the newest version. */
  readonly at?: string;
  /** Allows addresses of this machine, even without TLS. */
  readonly development?: boolean;
}

export function isLocal(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

export function createClient({ development }: SourceOptions): SkillClient {
  return createSkillClient({ allowLoopback: development === true });
}

/** Loads a descriptor from a file, from an address, or by its id from a registry. */
export async function readSource(source: string, options: SourceOptions, words: Words): Promise<SkillDescriptor> {
  if (source === STDIN || existsSync(source)) {
    const { descriptor, isForDevelopment } = await loadSkill(source, {
      development: options.development === true,
      locale: words.locale,
    });
    if (descriptor !== undefined) return descriptor;
    throw new CommandError('VALIDATION_ERROR', {
      exit: EXIT.bad,
      sentences: [
        { key: 'skill.invalid_see', params: { file: source } },
        ...(isForDevelopment ? [{ key: 'skill.development' } as const] : []),
      ],
    });
  }
  try {
    if (/^https?:\/\//i.test(source)) {
      return await createClient(options).fetchDescriptor(source, { credentials: openCredentials() });
    }
    return await readFromRegistry(source, options);
  } catch (error) {
    throw explainSkill(error, words);
  }
}

async function readFromRegistry(skill_id: string, { url, at: version }: SourceOptions): Promise<SkillDescriptor> {
  const api = openApi(chooseServer(url));
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(skill_id)) {
    throw new CommandError('SOURCE_UNKNOWN', { params: { source: skill_id } });
  }
  if (version === undefined) {
    return (await api.call(skillRoutes.readSkill, { params: { skill_id } })).descriptor as SkillDescriptor;
  }
  return (await api.call(skillRoutes.readSkillVersion, { params: { skill_id, version } })) as SkillDescriptor;
}
