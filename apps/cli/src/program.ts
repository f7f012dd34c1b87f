import { type Command, Option } from 'commander';
import { addAdminCommands } from './admin/commands.ts';
import { addAgentCommands } from './agent/commands.ts';
import { addAuditCommands } from './audit/commands.ts';
import { createBaseProgram, type ProgramDeps } from './base-program.ts';
import { addBundles } from './bundle/parley-commands.ts';
import { addChatCommand } from './chat/commands.ts';
import { addCompletion } from './completion/commands.ts';
import { addContactCommands } from './contacts/commands.ts';
import { addDeviceCommands } from './device/commands.ts';
import { addServerCommands } from './server/commands.ts';
import { addSkillCommands } from './skill/commands.ts';

/** Builds the tree of all commands. The code of a command is loaded when it runs (HS-15). */
export function createProgram(deps: ProgramDeps): Command {
  const { words, settle } = deps;
  const { say } = words;
  const program = createBaseProgram('parley', deps)
    .description(say('help.parley'))
    .addHelpText('after', `\n${say('help.parley.more')}`);

  addServerCommands(program, words, settle);
  addAdminCommands(program, words, settle);
  addDeviceCommands(program, words, settle);
  addContactCommands(program, words, settle);
  addChatCommand(program, words, settle);
  addAuditCommands(program, words, settle);
  addAgentCommands(program, words, settle);
  addBundles(program, words, settle);
  addSkillCommands(program, words, settle);

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
    .action(async (file: string | undefined, _options, command: Command) => {
      const { init } = await import('./manifest/init.ts');
      settle(await init(file, command.optsWithGlobals(), words));
    });

  manifest
    .command('validate')
    .description(say('help.validate'))
    .argument('[files...]', say('help.argument.files'))
    .addHelpText('after', `\n${say('help.validate.more')}`)
    .action(async (files: string[]) => {
      const { validate } = await import('./manifest/validate.ts');
      settle(await validate(files, words));
    });

  manifest
    .command('diff')
    .description(say('help.diff'))
    .argument('<old>', say('help.argument.old'))
    .argument('<new>', say('help.argument.new'))
    .addOption(new Option('--policy <policy>', say('help.option.policy')).choices(['spec', 'guide']).default('spec'))
    .option('--no-fail', say('help.option.no_fail'))
    .addHelpText('after', `\n${say('help.diff.more')}`)
    .action(async (before: string, after: string, options) => {
      const { diff } = await import('./manifest/diff.ts');
      settle(await diff([before, after], options, words));
    });

  manifest
    .command('hash')
    .description(say('help.hash'))
    .argument('[files...]', say('help.argument.files'))
    .addHelpText('after', `\n${say('help.hash.more')}`)
    .action(async (files: string[]) => {
      const { hash } = await import('./manifest/hash.ts');
      settle(await hash(files, words));
    });

  manifest
    .command('preview')
    .description(say('help.preview'))
    .argument('[files...]', say('help.argument.files'))
    .addHelpText('after', `\n${say('help.preview.more')}`)
    .action(async (files: string[]) => {
      const { preview } = await import('./manifest/preview.ts');
      settle(await preview(files, words));
    });

  manifest
    .command('push')
    .description(say('help.push'))
    .argument('<file>', say('help.argument.manifest'))
    .requiredOption('--agent <agent>', say('help.option.agent'))
    .option('--url <url>', say('help.option.url'))
    .option('-y, --yes', say('help.option.push_yes'))
    .addHelpText('after', `\n${say('help.push.more')}`)
    .action(async (file: string, _options, command: Command) => {
      const { push } = await import('./manifest/push.ts');
      settle(await push(file, command.optsWithGlobals(), words));
    });

  program
    .command('tour')
    .description(say('help.tour'))
    .addHelpText('after', `\n${say('help.tour.more')}`)
    .action(async (_options, command: Command) => {
      const { tour } = await import('./tour.ts');
      settle(await tour(command.optsWithGlobals(), words));
    });

  program
    .command('examples')
    .description(say('help.examples'))
    .argument('[folder]', say('help.argument.examples'), 'examples')
    .addHelpText('after', `\n${say('help.examples.more')}`)
    .action(async (folder: string) => {
      const { writeExamples } = await import('./examples.ts');
      settle(await writeExamples(folder, words));
    });

  addCompletion(program, words, settle);
  return program;
}
