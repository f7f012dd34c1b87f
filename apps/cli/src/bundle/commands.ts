import { type Command, Option } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';
import { TARGETS } from './config.ts';

export interface CommandDeps {
  readonly words: Words;
  readonly settle: (outcome: CommandResult) => void;
  /** What the person types before these commands: `roleos` or `parley bundle`. */
  readonly program: string;
}

/** Adds the commands that `roleos` and `parley bundle` share. Each is loaded when it is used. */
export function addBundleCommands(parent: Command, deps: CommandDeps): void {
  const { words, settle, program } = deps;
  const { say } = words;
  const more = (name: 'validate' | 'preview' | 'activate' | 'rollback' | 'publish') =>
    `\n${say(`help.bundle.${name}.more`, { program })}`;

  parent
    .command('validate')
    .description(say('help.bundle.validate'))
    .argument('[file]', say('help.bundle.argument.file'))
    .addHelpText('after', more('validate'))
    .action(async (file: string | undefined) => {
      const { validate } = await import('./validate.ts');
      settle(await validate(file, words, program));
    });

  addBundleOptions(parent.command('preview'), words)
    .description(say('help.bundle.preview'))
    .argument('<bundle>', say('help.bundle.argument.bundle'))
    .addHelpText('after', more('preview'))
    .action(async (reference: string, _options, command: Command) => {
      const { preview } = await import('./preview.ts');
      settle(await preview(reference, command.optsWithGlobals(), words, program));
    });

  addBundleOptions(parent.command('activate'), words)
    .description(say('help.bundle.activate'))
    .argument('<bundle>', say('help.bundle.argument.bundle'))
    .requiredOption('--plan-digest <digest>', say('help.bundle.option.plan_digest'))
    .addHelpText('after', more('activate'))
    .action(async (reference: string, _options, command: Command) => {
      const { activate } = await import('./activate.ts');
      settle(await activate(reference, command.optsWithGlobals(), words));
    });

  addRemoval(parent, 'rollback', deps).addHelpText('after', more('rollback'));

  parent
    .command('publish')
    .description(say('help.bundle.publish'))
    .argument('<folder>', say('help.bundle.argument.folder'))
    .option('--registry <url>', say('help.bundle.option.registry'))
    .addHelpText('after', more('publish'))
    .action(async (folder: string, options: { registry?: string }) => {
      const { publish } = await import('./publish.ts');
      settle(await publish(folder, options, words, program));
    });
}

export function addRemoval(parent: Command, how: 'uninstall' | 'rollback', deps: CommandDeps): Command {
  const { words, settle } = deps;
  return parent
    .command(how)
    .description(words.say(`help.bundle.${how}`))
    .argument('<id>', words.say('help.bundle.argument.id'))
    .option('--workspace <folder>', words.say('help.bundle.option.workspace'))
    .option('--even-if-manual', words.say('help.bundle.option.even_if_manual'))
    .action(async (id: string, _options, command: Command) => {
      const { remove } = await import('./remove.ts');
      settle(await remove(id, command.optsWithGlobals(), { how, words }));
    });
}

/** The options for the source and the target of a bundle. */
export function addBundleOptions(command: Command, { say }: Words): Command {
  return command
    .option('--workspace <folder>', say('help.bundle.option.workspace'))
    .option('--registry <url>', say('help.bundle.option.registry'))
    .addOption(new Option('--target <target>', say('help.bundle.option.target')).choices(TARGETS))
    .option('--allow-short-digest', say('help.bundle.option.allow_short_digest'));
}
