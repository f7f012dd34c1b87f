import { existsSync } from 'node:fs';
import { type Json, parseJson } from '@parley/documents';
import { type ApiKey, createApiKey } from '@parley/skills/provider';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { readInput } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { writeFileAtomically } from '../write-file.ts';

/** Creates an API key for a caller. The key is shown once; the file keeps only its hash. */
export async function addApiKey(caller: string, file: string, words: Words): Promise<CommandResult> {
  const known = existsSync(file) ? await readApiKeys(file) : [];
  const { key, entry } = await createApiKey(caller);
  writeFileAtomically(file, `${JSON.stringify([...known, entry], null, 2)}\n`, true);
  const shown = { caller: displayName(caller), file: displayName(file) };
  return {
    exit: EXIT.fine,
    json: { caller, file, key },
    text: (paint) => `${words.say('skill.key_made', shown)}\n${paint('bold', key)}\n`,
  };
}

export async function readApiKeys(file: string): Promise<ApiKey[]> {
  const parsed = parseJson(await readInput(file));
  if (parsed.ok && Array.isArray(parsed.value) && parsed.value.every(isApiKey))
    return parsed.value as unknown as ApiKey[];
  throw new CommandError('KEYS_INVALID', { params: { file } });
}

function isApiKey(value: Json): boolean {
  const { caller, sha256 } = (value ?? {}) as Partial<Record<keyof ApiKey, Json>>;
  return typeof caller === 'string' && caller !== '' && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
}
