import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { refuseExisting, writeFileAtomically } from '../write-file.ts';

/** A token is shown only once: it is written to a file that nobody else can read, or to the screen. */
export function keepToken(token: string, file: string | undefined, words: Words) {
  if (file === undefined) {
    const text = (paint: Paint) => `${words.say('agent.token', { token: paint('bold', token) })}\n`;
    return { json: { token }, text };
  }
  writeFileAtomically(file, `${token}\n`, false, 0o600);
  return { json: { token_file: file }, text: () => `${words.say('agent.token_file', { file: displayName(file) })}\n` };
}

/** Checked before a token is created, because one that cannot be written is lost. */
export function checkTokenFile(file: string | undefined): void {
  if (file !== undefined) refuseExisting(file, false);
}
