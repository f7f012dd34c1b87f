import { readFileSync } from 'node:fs';
import { LOCALES } from '@parley/documents';
import { Command, Option } from 'commander';
import { configureHelp } from './help.ts';
import { diff } from './manifest/diff.ts';
import { hash } from './manifest/hash.ts';
import { init } from './manifest/init.ts';
import { preview } from './manifest/preview.ts';
import { validate } from './manifest/validate.ts';
import type { Words } from './messages/index.ts';
import type { Outcome } from './outcome.ts';
import type { Paint } from './paint.ts';
import { addServerCommands } from './server/commands.ts';
import { tour } from './tour.ts';

interface Surroundings {
  readonly words: Words;
  readonly paint: Paint;
  /** Takes what the chosen command found out. */
  readonly settle: (outcome: Outcome) => void;
  /** Takes help and version, which are printed by the caller. */
  readonly collect: (text: string) => void;
}

export function createProgram({ words, paint, settle, collect }: Surroundings): Command {
  const { say } = words;
  // What is set before the first command is inherited by all.
  const program = new Command('parley')
    .exitOverride()
    .configureOutput({ writeOut: collect, writeErr: collect, outputError: () => {}, getOutHasColors: () => true })
    .description(say('help.parley'))
    .configureHelp(configureHelp(words, paint))
    .helpOption('-h, --help', say('help.option.help'))
    .version(readVersion(), '-V, --version', say('help.option.version'))
    .option('--json', say('help.option.json'))
    .addOption(new Option('--locale <locale>', say('help.option.locale')).choices(LOCALES))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.parley.more')}`);

  addServerCommands(program, words, settle);

  const manifest = program
    .command('manifest')
    .description(say('help.manifest'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.manifest.more')}`);

  manifest
    .command('init')
    .description(say('help.init'))
    .argument('[file]', say('help.argument.target'))
    .option('-y, --yes', say('help.option.yes'))
    .option('-f, --force', say('help.option.force'))
    .addHelpText('after', `\n${say('help.init.more')}`)
    .action(async (file: string | undefined, _options, command: Command) =>
      settle(await init(file, command.optsWithGlobals(), words)),
    );

  manifest
    .command('validate')
    .description(say('help.validate'))
    .argument('[files...]', say('help.argument.files'))
    .addHelpText('after', `\n${say('help.validate.more')}`)
    .action(async (files: string[]) => settle(await validate(files, words)));

  manifest
    .command('diff')
    .description(say('help.diff'))
    .argument('<old>', say('help.argument.old'))
    .argument('<new>', say('help.argument.new'))
    .addOption(new Option('--policy <policy>', say('help.option.policy')).choices(['spec', 'guide']).default('spec'))
    .option('--no-fail', say('help.option.no_fail'))
    .addHelpText('after', `\n${say('help.diff.more')}`)
    .action(async (before: string, after: string, options) => settle(await diff([before, after], options, words)));

  manifest
    .command('hash')
    .description(say('help.hash'))
    .argument('[files...]', say('help.argument.files'))
    .addHelpText('after', `\n${say('help.hash.more')}`)
    .action(async (files: string[]) => settle(await hash(files, words)));

  manifest
    .command('preview')
    .description(say('help.preview'))
    .argument('[files...]', say('help.argument.files'))
    .addHelpText('after', `\n${say('help.preview.more')}`)
    .action(async (files: string[]) => settle(await preview(files, words)));

  program
    .command('tour')
    .description(say('help.tour'))
    .addHelpText('after', `\n${say('help.tour.more')}`)
    .action(async (_options, command: Command) => settle(await tour(command.optsWithGlobals(), words)));

  return program;
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
