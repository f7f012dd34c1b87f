import { hashManifest, type Json } from '@parley/documents';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { compactJson } from '../compact-json.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { STDIN } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { refuseExisting, writeFileAtomically } from '../write-file.ts';
import { DEFAULT_ANSWERS, writeStarter } from './starter.ts';

const COLUMNS = 80;

export interface InitOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function init(file = 'manifest.json', options: InitOptions, words: Words): Promise<CommandResult> {
  const toStdout = file === STDIN;
  if (!toStdout) refuseExisting(file, options.force === true);
  const asks = !options.yes && !options.json && !toStdout && process.stdin.isTTY && process.stdout.isTTY;
  const answers = asks ? await ask(words) : DEFAULT_ANSWERS;
  const manifest = writeStarter(answers);
  const text = `${compactJson(manifest as Json, COLUMNS)}\n`;
  if (toStdout) return { exit: EXIT.fine, json: manifest, text: () => text };
  writeFileAtomically(file, text, options.force === true);
  const shown = { file: displayName(file) };
  return {
    exit: EXIT.fine,
    json: { file, hash: hashManifest(manifest) },
    text: (paint) => `${paint('green', '✓')} ${words.say('init.written', shown)}\n${words.say('init.next', shown)}\n`,
  };
}

async function ask(words: Words) {
  // The prompts are loaded only here, because they are the slowest part of starting up.
  const { askAnswers } = await import('./ask.ts');
  const answers = await askAnswers(words);
  if (answers === undefined) throw new CommandError('CANCELLED', { sentences: [{ key: 'init.cancelled' }] });
  return answers;
}
