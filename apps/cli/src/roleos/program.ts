import { type Command, Option } from 'commander';
import { createBaseProgram, type ProgramDeps } from '../base-program.ts';
import { addBundleCommands, addBundleOptions, addRemoval, type CommandDeps } from '../bundle/commands.ts';
import { TARGETS } from '../bundle/config.ts';
import { addCompletion } from '../completion/commands.ts';

const NAME = 'roleos';

/** Builds the tree of the commands of `roleos` (BA-8). */
export function createRoleos(deps: ProgramDeps): Command {
  const { words, settle } = deps;
  const { say } = words;
  const program = createBaseProgram(NAME, deps)
    .description(say('help.roleos'))
    .addHelpText('after', `\n${say('help.roleos.more')}`);
  const commandDeps: CommandDeps = { words, settle, program: NAME };
  addControl(program, commandDeps);
  addInstall(program, commandDeps);
  addBundleCommands(program, commandDeps);
  addCompletion(program, words, settle);
  return program;
}

function addControl(program: Command, { words, settle }: CommandDeps): void {
  const { say } = words;
  program
    .command('init')
    .description(say('help.roleos.init'))
    .option('-y, --yes', say('help.roleos.option.yes'))
    .option('--workspace <folder>', say('help.bundle.option.workspace'))
    .addOption(new Option('--target <target>', say('help.bundle.option.target')).choices(TARGETS))
    .option('--registry <url>', say('help.bundle.option.registry'))
    .option('--mirror <name=place...>', say('help.roleos.option.mirror'))
    .addHelpText('after', `\n${say('help.roleos.init.more')}`)
    .action(async (_options, command: Command) => {
      const { init } = await import('./init.ts');
      settle(await init(command.optsWithGlobals(), words));
    });
  for (const name of ['start', 'stop', 'status'] as const) {
    program
      .command(name)
      .description(say(`help.roleos.${name}`))
      .option('--workspace <folder>', say('help.bundle.option.workspace'))
      .addHelpText('after', `\n${say(`help.roleos.${name}.more`)}`)
      .action(async (_options, command: Command) => {
        const control = await import('./control.ts');
        settle(await control[name](command.optsWithGlobals(), words));
      });
  }
  program
    .command('login')
    .description(say('help.roleos.login'))
    .option('--url <url>', say('help.roleos.option.server'))
    .addHelpText('after', `\n${say('help.roleos.login.more')}`)
    .action(async ({ url }: { url?: string }) => {
      const { login } = await import('../account/login.ts');
      settle(await login(url === undefined ? {} : { server: url }, words, NAME));
    });
}

function addInstall(program: Command, commandDeps: CommandDeps): void {
  const { words, settle } = commandDeps;
  const { say } = words;
  addBundleOptions(program.command('install'), words)
    .description(say('help.bundle.install'))
    .argument('<bundle>', say('help.bundle.argument.bundle'))
    .option('-y, --yes', say('help.bundle.option.yes'))
    .option('--plan-digest <digest>', say('help.bundle.option.plan_digest'))
    .addHelpText('after', `\n${say('help.bundle.install.more')}`)
    .action(async (reference: string, _options, command: Command) => {
      const { install } = await import('../bundle/install.ts');
      settle(await install(reference, command.optsWithGlobals(), words, NAME));
    });
  addRemoval(program, 'uninstall', commandDeps).addHelpText('after', `\n${say('help.bundle.uninstall.more')}`);
  program
    .command('import')
    .description(say('help.bundle.import'))
    .argument('<folder>', say('help.bundle.argument.skill'))
    .option('--into <folder>', say('help.bundle.option.into'))
    .option('-f, --force', say('help.bundle.option.force'))
    .addHelpText('after', `\n${say('help.bundle.import.more')}`)
    .action(async (folder: string, options: { into?: string; force?: boolean }) => {
      const { importSkill } = await import('../bundle/import-skill.ts');
      settle(await importSkill(folder, options, words, NAME));
    });
}
