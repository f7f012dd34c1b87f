import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import { writeBash } from './bash.ts';
import { writeFish } from './fish.ts';
import type { Shell } from './shells.ts';
import { describeTree } from './tree.ts';
import { writeZsh } from './zsh.ts';

const WRITERS = { bash: writeBash, zsh: writeZsh, fish: writeFish };

/** Prints a script that contains all commands, so that completing a word starts no program. */
export function writeCompletion(program: Command, shell: Shell): CommandResult {
  const script = WRITERS[shell](program.name(), describeTree(program));
  return { exit: EXIT.fine, json: { shell, script }, text: () => script };
}
