import { prepareRotation, type RotationState, readRotation, retire, rotate, type Settings } from '@parley/app-server';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { MessageKey, Words } from '../messages/index.ts';
import { explainBackup } from './explain.ts';
import { explainRefusal, readSettings } from './settings.ts';

export function secretsStatus(words: Words): CommandResult {
  return show(attempt(words, readRotation), words);
}

export function rotateSecrets({ prepare }: { readonly prepare?: boolean }, words: Words): CommandResult {
  return show(attempt(words, prepare ? prepareRotation : rotate), words);
}

export async function retireSecrets(words: Words): Promise<CommandResult> {
  const settings = readSettings(words);
  const retired = await retire(settings).catch((error: unknown) => {
    throw explainBackup(error, '', words);
  });
  const text = words.say(retired ? 'secrets.retired' : 'secrets.none');
  return { exit: EXIT.fine, json: { retired }, text: () => `${text}\n` };
}

function attempt(words: Words, work: (settings: Settings) => RotationState): RotationState {
  try {
    return work(readSettings(words));
  } catch (error) {
    throw explainRefusal(error, words);
  }
}

function show({ prepared, rotating, rotatedAt, restartNeeded }: RotationState, words: Words): CommandResult {
  const keys: MessageKey[] = [
    rotating ? 'secrets.rotating' : 'secrets.none',
    ...(prepared ? (['secrets.prepared'] as const) : []),
    ...(restartNeeded ? (['secrets.restart'] as const) : []),
  ];
  return {
    exit: EXIT.fine,
    json: { rotating, prepared, rotated_at: rotatedAt?.toISOString() ?? null, restart_needed: restartNeeded },
    text: () => keys.map((key) => `${words.say(key)}\n`).join(''),
  };
}
