import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CommandError } from './command-error.ts';
import type { CommandResult } from './command-result.ts';
import { displayName } from './display.ts';
import { EXIT } from './exit-code.ts';
import type { Words } from './messages/index.ts';
import { OWN_PACKAGE } from './own-package.ts';
import { quote } from './shell-quote.ts';

export const EXAMPLES = join(OWN_PACKAGE.folder, 'dist/examples');

/** Writes the examples to a new folder, all of them or none. */
export async function writeExamples(folder: string, words: Words): Promise<CommandResult> {
  if (!existsSync(EXAMPLES)) throw new CommandError('EXAMPLES_MISSING');
  const files = listFiles(EXAMPLES).map((file) => join(folder, file));
  copyFolder(EXAMPLES, folder);
  const shown = { folder: displayName(folder), count: files.length };
  return {
    exit: EXIT.fine,
    json: { folder: resolve(folder), files },
    text: (paint) =>
      `${paint('green', '✓')} ${words.say('examples.written', shown)}\n${words.say('examples.next', { folder: quote(displayName(folder)) })}\n`,
  };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function copyFolder(from: string, to: string): void {
  const target = resolve(to);
  let draft: string | undefined;
  try {
    if (existsSync(target)) throw new CommandError('EXAMPLES_EXIST', { params: { folder: to } });
    mkdirSync(dirname(target), { recursive: true });
    // A folder of its own, whose name nobody can guess: what lies there already would be copied along.
    draft = mkdtempSync(join(dirname(target), `.${basename(target)}.`));
    const copy = join(draft, basename(target));
    cpSync(from, copy, { recursive: true });
    renameSync(copy, target);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CommandError('FILE_NOT_WRITABLE', { params: { file: to, reason: code ?? 'UNKNOWN' } });
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  }
}
