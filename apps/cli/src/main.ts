import { localeOfEnvironment } from '@parley/base';
import { type Command, CommanderError } from 'commander';
import { bindValues } from './bind-values.ts';
import { EXIT, type ExitCode } from './failure.ts';
import { requestedLocale } from './locale.ts';
import { type Words, wordsFor } from './messages/index.ts';
import type { Outcome } from './outcome.ts';
import { choosePaint } from './paint.ts';
import { printFailure, printOutcome } from './print.ts';
import { createProgram } from './program.ts';
import { sayFailure } from './show.ts';
import { explainUsage } from './usage.ts';
import { wireFailure } from './wire.ts';

/** The whole command: arguments in, exit code out. */
export async function main(argv: readonly string[], create = createProgram): Promise<ExitCode> {
  const words = wordsFor(requestedLocale(argv) ?? localeOfEnvironment(process.env));
  const end = argv.indexOf('--');
  const options = argv.slice(0, end === -1 ? undefined : end);
  const asJson = options.includes('--json');
  if (options.includes('--no-color')) Object.assign(process.env, { NO_COLOR: '1', FORCE_COLOR: '0' });
  try {
    return await printOutcome(await run(argv, words, create), asJson);
  } catch (error) {
    // Where even that cannot be printed there is nobody to tell.
    return printFailure(error, words, asJson).catch(() => EXIT.environment);
  }
}

async function run(argv: readonly string[], words: Words, create: typeof createProgram): Promise<Outcome> {
  let outcome: Outcome | undefined;
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
    // A missing command is best answered with the list of them.
    if (error.code !== 'commander.help') throw failure;
    const json = { error: wireFailure(failure, sayFailure(failure, words)) };
    return { exit: EXIT.usage, json, text: () => '', complaints: () => printed };
  }
  if (outcome === undefined) throw new TypeError('run: the command gave no outcome');
  return outcome;
}

function showText(name: 'help' | 'version', printed: string): Outcome {
  return { exit: EXIT.fine, json: { [name]: printed.trimEnd() }, text: () => printed };
}

/** `parley manifest diff`, as far as the arguments name commands. */
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
