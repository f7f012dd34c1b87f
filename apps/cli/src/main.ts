import { localeOfEnvironment } from '@parley/base';
import { type Command, CommanderError } from 'commander';
import type { ProgramDeps } from './base-program.ts';
import { bindValues } from './bind-values.ts';
import type { CommandResult } from './command-result.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { toErrorJson } from './json-output.ts';
import { requestedLocale } from './locale.ts';
import { type Words, wordsFor } from './messages/index.ts';
import { choosePaint } from './paint.ts';
import { printError, printResult } from './print.ts';
import { createProgram } from './program.ts';
import { explainUsage } from './usage.ts';

export interface Program {
  readonly name: string;
  create(deps: ProgramDeps): Command;
}

const PARLEY: Program = { name: 'parley', create: createProgram };

/** Runs the command `parley` and returns its exit code. */
export async function main(argv: readonly string[], program: Program = PARLEY): Promise<ExitCode> {
  const words = wordsFor(requestedLocale(argv) ?? localeOfEnvironment(process.env));
  const end = argv.indexOf('--');
  const options = argv.slice(0, end === -1 ? undefined : end);
  const asJson = options.includes('--json');
  if (options.includes('--no-color')) Object.assign(process.env, { NO_COLOR: '1', FORCE_COLOR: '0' });
  try {
    return await printResult(await run(argv, words, program.create), asJson);
  } catch (error) {
    // If even that cannot be printed, nobody can be told.
    return printError(error, { locale: words.locale, program: program.name }, asJson).catch(() => EXIT.environment);
  }
}

async function run(argv: readonly string[], words: Words, create: Program['create']): Promise<CommandResult> {
  let outcome: CommandResult | undefined;
  let printed = '';
  const program = create({
    words,
    paint: choosePaint(process.stdout.isTTY, process.env),
    settle: (result) => {
      outcome = result;
    },
    collect: (text) => {
      printed += text;
    },
  });
  try {
    await program.parseAsync(bindValues(program, argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return showText(error.code === 'commander.version' ? 'version' : 'help', printed);
    const failure = explainUsage(error, commandPath(program, argv));
    // If the command is missing, the list of commands helps most.
    if (error.code !== 'commander.help') throw failure;
    const json = { error: toErrorJson(failure, words) };
    return { exit: EXIT.usage, json, text: () => '', stderr: () => printed };
  }
  if (outcome === undefined) throw new TypeError('run: the command gave no outcome');
  return outcome;
}

function showText(name: 'help' | 'version', printed: string): CommandResult {
  return { exit: EXIT.fine, json: { [name]: printed.trimEnd() }, text: () => printed };
}

/** Returns the command that the arguments name, such as `parley manifest diff`. */
function commandPath(program: Command, argv: readonly string[]): string {
  let command = program;
  let path = program.name();
  for (const word of argv) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) continue;
    command = next;
    path += ` ${word}`;
  }
  return path;
}
