import { LOCALES } from '@parley/base';
import { Command, Option } from 'commander';
import type { CommandResult } from './command-result.ts';
import { configureHelp } from './help.ts';
import type { Words } from './messages/index.ts';
import { OWN_PACKAGE } from './own-package.ts';
import type { Paint } from './paint.ts';

export interface ProgramDeps {
  readonly words: Words;
  readonly paint: Paint;
  /** Receives the result of the chosen command. */
  readonly settle: (outcome: CommandResult) => void;
  /** Receives help and version texts, which the caller prints. */
  readonly collect: (text: string) => void;
}

/** Creates a program without commands. Commands inherit what is set here, because they are added later. */
export function createBaseProgram(name: string, { words, paint, collect }: ProgramDeps): Command {
  const { say } = words;
  return new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: collect, writeErr: collect, outputError: () => {}, getOutHasColors: () => true })
    .configureHelp(configureHelp(words, paint))
    .helpOption('-h, --help', say('help.option.help'))
    .version(OWN_PACKAGE.version, '-V, --version', say('help.option.version'))
    .option('--json', say('help.option.json'))
    .option('--no-color', say('help.option.no_color'))
    .addOption(new Option('--locale <locale>', say('help.option.locale')).choices(LOCALES))
    .helpCommand('help [command]', say('help.command.help'));
}
