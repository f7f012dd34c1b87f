import { askHidden, isAtTerminal } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import { readInput, STDIN } from '../input.ts';
import type { Words } from '../messages/index.ts';

/** Reads the recovery secret from a file or standard input. Without either, it is typed unseen at the terminal. */
export async function readRecoverySecret(file: string | undefined, words: Words): Promise<string> {
  if (file === undefined && isAtTerminal())
    return askHidden('recovery_secret.ask_secret', words, 'recovery_secret.left');
  const secret = new TextDecoder().decode(await readInput(file ?? STDIN)).trim();
  if (secret === '') throw new CommandError('USAGE', { sentences: [{ key: 'recovery_secret.secret_missing' }] });
  return secret;
}
